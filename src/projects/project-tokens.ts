import { Injectable } from '@nestjs/common';
import { Postgres } from '../stores/postgres/postgres.js';
import { bound, pgSql } from '../stores/postgres/sql.js';

const timeoutMs = 1500;

/** A token's project never changes and projects are never deleted, so every successful look-up is remembered. */
@Injectable()
export class ProjectTokens {
  private readonly known = new Map<string, number>();

  constructor(private readonly postgres: Postgres) {}

  /** `beforeLookup` may throw; it is called only for a token that is not remembered. */
  async find(token: string, beforeLookup: () => void): Promise<number | null> {
    const known = this.known.get(token);
    if (known !== undefined) return known;
    beforeLookup();
    const { name, text, values } = pgSql`SELECT id FROM projects WHERE api_token = ${bound(token)}`.named(
      'project-by-token',
    );
    const { rows } = await this.postgres.query<{ id: number }>({ name, text, values, query_timeout: timeoutMs });
    const id = rows[0]?.id ?? null;
    if (id !== null) this.known.set(token, id);
    return id;
  }
}
