import { Injectable } from '@nestjs/common';
import { type SessionCaller } from '../../kernel/access/caller.js';
import { type ProjectRole, projectsWithin, scopesOn } from '../../kernel/access/roles.js';
import { toProjectContext } from '../../kernel/projects/projects.repository.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { rolesColumn, rolesOf } from '../users/user-rights.js';
import { lookupTimeoutMs, type Access, type ProjectColumns, type ProjectRef } from './key-lookup.js';

export interface SessionAccess extends Access {
  readonly caller: SessionCaller;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

interface Row extends ProjectColumns {
  session_id: string;
  user_id: number;
  last_seen_at: Date;
  expires_at: Date;
  is_owner: boolean;
  roles: Readonly<Record<string, ProjectRole>>;
  project_id: number | null;
}

/**
 * Reads session, roles and project in one statement, so that a changed role counts from the next request on, and an unknown
 * project takes exactly as long as a foreign one.
 */
const lookup = (digest: Buffer, ref: ProjectRef): PgSql => {
  const projectId = bound(typeof ref === 'number' ? ref : null);
  return pgSql`
    SELECT s.id AS session_id, s.user_id, s.last_seen_at, s.expires_at, u.is_owner, ${rolesColumn(pgSql`u.id`)} AS roles,
           p.id AS project_id, p.timezone, p.week_start_day, p.person_display_name_properties,
           p.test_account_filters, p.path_cleaning_filters, p.audit_reads
    FROM sessions s
    JOIN users u ON u.id = s.user_id
    LEFT JOIN LATERAL (
      SELECT * FROM projects
      WHERE ${bound(ref !== null)}::boolean
        AND (${projectId}::integer IS NULL OR projects.id = ${projectId}) AND projects.deleted_at IS NULL
        AND (u.is_owner OR projects.id IN (SELECT m.project_id FROM project_members m WHERE m.user_id = u.id))
      LIMIT 2
    ) p ON true
    WHERE s.digest = ${bound(digest)}`.named('session-lookup');
};

@Injectable()
export class SessionLookup {
  constructor(private readonly postgres: Postgres) {}

  async find(digest: Buffer, ref: ProjectRef): Promise<SessionAccess | null> {
    const { name, text, values } = lookup(digest, ref);
    const { rows } = await this.postgres.query<Row>({ name, text, values, query_timeout: lookupTimeoutMs });
    const [row] = rows;
    if (!row) return null;
    const project =
      rows.length === 1 && row.project_id !== null ? toProjectContext({ ...row, id: row.project_id }) : null;
    const rights = { isOwner: row.is_owner, roles: rolesOf(row.roles) };
    return {
      caller: {
        keyId: null,
        sessionId: row.session_id,
        userId: row.user_id,
        scopes: scopesOn(rights, project ? [project.id] : null),
        projectIds: projectsWithin(rights),
        expiresAt: null,
        rights,
      },
      lastSeenAt: row.last_seen_at,
      expiresAt: row.expires_at,
      project,
    };
  }

  async touch(sessionId: string, now: Date, expiresAt: Date, ifBefore: Date): Promise<void> {
    await this.postgres.query(pgSql`
      UPDATE sessions SET last_seen_at = ${bound(now)}, expires_at = ${bound(expiresAt)}
      WHERE id = ${bound(sessionId)} AND last_seen_at < ${bound(ifBefore)}`);
  }
}
