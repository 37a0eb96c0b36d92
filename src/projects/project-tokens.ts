import { Injectable } from '@nestjs/common';
import { Postgres } from '../stores/postgres/postgres.js';

const timeoutMs = 1500;

/** A token's project never changes and projects are never deleted, so what was found once is remembered. */
@Injectable()
export class ProjectTokens {
  private readonly known = new Map<string, number>();

  constructor(private readonly postgres: Postgres) {}

  /** `beforeLookup` may throw; it is called only for a token that is not remembered. */
  async find(token: string, beforeLookup: () => void): Promise<number | null> {
    const known = this.known.get(token);
    if (known !== undefined) return known;
    beforeLookup();
    const { rows } = await this.postgres.query<{ id: number }>({
      name: 'project-by-token',
      text: 'SELECT id FROM projects WHERE api_token = $1',
      values: [token],
      query_timeout: timeoutMs,
    });
    const id = rows[0]?.id ?? null;
    if (id !== null) this.known.set(token, id);
    return id;
  }
}
