import { Injectable } from '@nestjs/common';
import { type Caller, type KeyCaller } from '../../kernel/access/caller.js';
import { type GrantedScope } from '../../kernel/access/scopes.js';
import { TickBatcher } from '../../platform/work/shared-work.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type ProjectRow, toProjectContext } from '../../kernel/projects/projects.repository.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

/**
 * The project that a request names. `@current` stands for the only project that the caller opens; null for a route outside of
 * projects.
 */
export type ProjectRef = number | '@current' | null;

interface Lookup {
  readonly digest: Buffer;
  readonly ref: ProjectRef;
}

export interface Access {
  readonly caller: Caller;
  /** Null when the project does not exist or the caller may not open it: the two cases must not be distinguishable. */
  readonly project: ProjectContext | null;
}

export interface KeyAccess extends Access {
  readonly caller: KeyCaller;
  readonly lastUsedAt: Date | null;
}

export type ProjectColumns = Omit<ProjectRow, 'id'>;

interface Row extends ProjectColumns {
  key_id: string;
  user_id: number;
  scopes: GrantedScope[];
  project_ids: number[] | null;
  expires_at: Date | null;
  last_used_at: Date | null;
  project_id: number | null;
}

/**
 * Reads key and project in one statement, so that an unknown project takes exactly as long as a foreign one. The previous secret
 * of a key is looked up only if the digest is no current one, and PostgreSQL's clock decides whether that secret is still valid.
 */
export const keyLookupSql = (digest: Buffer, ref: ProjectRef): PgSql => {
  const name = bound(digest);
  const projectId = bound(typeof ref === 'number' ? ref : null);
  return pgSql`
    SELECT k.id AS key_id, k.user_id, k.scopes, k.project_ids, k.expires_at, k.last_used_at,
           p.id AS project_id, p.timezone, p.week_start_day, p.person_display_name_properties,
           p.test_account_filters, p.path_cleaning_filters, p.audit_reads
    FROM (
      SELECT * FROM personal_api_keys WHERE digest = ${name}
      UNION ALL
      SELECT * FROM personal_api_keys WHERE previous_digest = ${name} AND previous_until > clock_timestamp()
      LIMIT 1
    ) k
    LEFT JOIN LATERAL (
      SELECT * FROM projects
      WHERE ${bound(ref !== null)}::boolean
        AND (${projectId}::integer IS NULL OR projects.id = ${projectId}) AND projects.deleted_at IS NULL
        AND (k.project_ids IS NULL OR projects.id = ANY (k.project_ids))
      LIMIT 2
    ) p ON true`.named('key-lookup');
};

/**
 * A shorter time-out than that of other statements: every request starts with a look-up, so a database that hangs is noticed
 * here, within the promised 2 s.
 */
export const lookupTimeoutMs = 1500;

@Injectable()
export class KeyLookup {
  /** Combines equal look-ups of one tick, so that one statement answers all of them. */
  private readonly together = new TickBatcher<string, Lookup, KeyAccess | null>((_, lookups) =>
    this.ask(lookups[0] as Lookup),
  );

  constructor(private readonly postgres: Postgres) {}

  /** Looks up a key. Requests that arrive in the same tick share a look-up. */
  find(digest: Buffer, ref: ProjectRef): Promise<KeyAccess | null> {
    return this.together.load(`${digest.toString('base64')} ${ref}`, { digest, ref });
  }

  private async ask({ digest, ref }: Lookup): Promise<KeyAccess | null> {
    const { name, text, values } = keyLookupSql(digest, ref);
    const { rows } = await this.postgres.query<Row>({ name, text, values, query_timeout: lookupTimeoutMs });
    const [row] = rows;
    if (!row) return null;
    return {
      caller: {
        keyId: row.key_id,
        sessionId: null,
        userId: row.user_id,
        scopes: row.scopes,
        projectIds: row.project_ids,
        expiresAt: row.expires_at,
      },
      lastUsedAt: row.last_used_at,
      project: rows.length === 1 && row.project_id !== null ? toProjectContext({ ...row, id: row.project_id }) : null,
    };
  }

  /** Returns the ids of the projects that the caller opens, at most `limit`. */
  async projectsOf({ projectIds }: Caller, limit: number): Promise<number[]> {
    const ids = bound(projectIds);
    const { text, values } = pgSql`
      SELECT id FROM projects
      WHERE deleted_at IS NULL AND (${ids}::integer[] IS NULL OR id = ANY (${ids})) ORDER BY id LIMIT ${bound(limit)}`;
    const { rows } = await this.postgres.query<{ id: number }>({ text, values, query_timeout: lookupTimeoutMs });
    return rows.map(({ id }) => id);
  }

  async touch(keyId: string, now: Date, ifBefore: Date): Promise<void> {
    await this.postgres.query(
      pgSql`
        UPDATE personal_api_keys SET last_used_at = ${bound(now)}
        WHERE id = ${bound(keyId)} AND (last_used_at IS NULL OR last_used_at < ${bound(ifBefore)})`,
    );
  }
}
