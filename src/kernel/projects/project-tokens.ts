import { Injectable } from '@nestjs/common';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

const timeoutMs = 1500;
/** An answer older than this is not used: the token may have been rotated since, or its project deleted. */
export const tokenMaxAgeMs = 1000;
/** From this age on, a capture starts a new look-up of the tokens and does not wait for it. */
const refreshAfterMs = 500;

/** The project of a token, with the settings that a capture needs. */
export interface TokenProject {
  readonly id: number;
  readonly cookielessVisitors: boolean;
}

interface KnownToken {
  readonly project: TokenProject;
  /** `performance.now()` right before the look-up. */
  readonly lookedUpAt: number;
  isUsed: boolean;
}

/** PostgreSQL's clock decides when the grace of a previous token is over. */
const projectsByToken = (tokens: readonly string[]): PgSql => {
  const sent = bound(tokens);
  return pgSql`
    SELECT t.token, p.id, p.cookieless_visitors
    FROM unnest(${sent}::text[]) AS t (token) JOIN projects p ON p.api_token = t.token
    WHERE p.deleted_at IS NULL
    UNION ALL
    SELECT t.token, p.id, p.cookieless_visitors
    FROM unnest(${sent}::text[]) AS t (token) JOIN projects p ON p.previous_api_token = t.token
    WHERE p.previous_api_token_until > clock_timestamp() AND p.deleted_at IS NULL`.named('projects-by-token');
};

/**
 * Finds the project of a token. Thousands of captures may come in a second, so each answer is used for a second. While captures
 * arrive, one statement every half second looks up all tokens that were used since the previous one.
 */
@Injectable()
export class ProjectTokens {
  private readonly known = new Map<string, KnownToken>();
  private refreshing: Promise<void> | null = null;

  constructor(private readonly postgres: Postgres) {}

  /** `beforeLookup` may throw; it is called only for a token that is not remembered. */
  async find(token: string, beforeLookup: () => void): Promise<TokenProject | null> {
    const calledAt = performance.now();
    for (let known = this.known.get(token); known !== undefined; known = this.known.get(token)) {
      known.isUsed = true;
      const age = calledAt - known.lookedUpAt;
      if (age < refreshAfterMs) return known.project;
      const refreshed = this.refresh();
      if (age < tokenMaxAgeMs) {
        // A failure is ignored here, because this capture already has its answer.
        refreshed.catch(() => undefined);
        return known.project;
      }
      await refreshed;
    }
    beforeLookup();
    await this.lookUp([token]);
    return this.known.get(token)?.project ?? null;
  }

  private refresh(): Promise<void> {
    return (this.refreshing ??= this.lookUpUsed().finally(() => {
      this.refreshing = null;
    }));
  }

  private async lookUpUsed(): Promise<void> {
    const tokens: string[] = [];
    for (const [token, known] of this.known) {
      if (!known.isUsed) continue;
      known.isUsed = false;
      tokens.push(token);
    }
    await this.lookUp(tokens);
  }

  private async lookUp(tokens: readonly string[]): Promise<void> {
    const lookedUpAt = performance.now();
    const { name, text, values } = projectsByToken(tokens);
    const { rows } = await this.postgres.query<{ token: string; id: number; cookieless_visitors: boolean }>({
      ...{ name, text, values },
      query_timeout: timeoutMs,
    });
    const found = new Map(
      rows.map(({ token, id, cookieless_visitors: cookielessVisitors }) => [token, { id, cookielessVisitors }]),
    );
    for (const token of tokens) {
      const project = found.get(token);
      if (project === undefined) this.known.delete(token);
      else this.known.set(token, { project, lookedUpAt, isUsed: this.known.get(token)?.isUsed ?? false });
    }
  }
}
