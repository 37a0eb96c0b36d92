import { Injectable } from '@nestjs/common';
import { BriefMemory, longestAgeMs } from '../../platform/work/brief-memory.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

const timeoutMs = 1500;
/** The project of a token is known to be right for this long at most. */
export const tokenMaxAgeMs = longestAgeMs;

interface TokenRow {
  readonly token: string;
  readonly id: number;
  readonly cookieless_visitors: boolean;
  readonly protected_person_properties: readonly string[];
  readonly protected_group_properties: readonly string[];
  readonly protected_merges: boolean;
}

/** The project of a token, with the settings that a capture needs. */
export interface TokenProject {
  readonly id: number;
  readonly cookielessVisitors: boolean;
  readonly protectedPersonProperties: readonly string[];
  readonly protectedGroupProperties: readonly string[];
  readonly protectedMerges: boolean;
}

const settings = pgSql`p.id, p.cookieless_visitors, p.protected_person_properties, p.protected_group_properties,
  p.protected_merges`;

/** PostgreSQL's clock decides when the grace of a previous token is over. */
const projectsByToken = (tokens: readonly string[]): PgSql => {
  const sent = bound(tokens);
  return pgSql`
    SELECT t.token, ${settings}
    FROM unnest(${sent}::text[]) AS t (token) JOIN projects p ON p.api_token = t.token
    WHERE p.deleted_at IS NULL
    UNION ALL
    SELECT t.token, ${settings}
    FROM unnest(${sent}::text[]) AS t (token) JOIN projects p ON p.previous_api_token = t.token
    WHERE p.previous_api_token_until > clock_timestamp() AND p.deleted_at IS NULL`.named('projects-by-token');
};

/**
 * Finds the project of a token. An answer is used for a second at most, because the token may have been rotated since, or its
 * project deleted.
 */
@Injectable()
export class ProjectTokens {
  private readonly known = new BriefMemory<string, TokenProject>((tokens) => this.lookUp(tokens));

  constructor(private readonly postgres: Postgres) {}

  /** `beforeLookup` may throw; it is called only for a token that is not remembered. */
  find(token: string, beforeLookup: () => void): Promise<TokenProject | null> {
    return this.known.find(token, beforeLookup);
  }

  private async lookUp(tokens: readonly string[]): Promise<ReadonlyMap<string, TokenProject>> {
    const { name, text, values } = projectsByToken(tokens);
    const { rows } = await this.postgres.query<TokenRow>({
      ...{ name, text, values },
      query_timeout: timeoutMs,
    });
    return new Map(
      rows.map((row) => [
        row.token,
        {
          id: row.id,
          cookielessVisitors: row.cookieless_visitors,
          protectedPersonProperties: row.protected_person_properties,
          protectedGroupProperties: row.protected_group_properties,
          protectedMerges: row.protected_merges,
        },
      ]),
    );
  }
}
