import { Injectable } from '@nestjs/common';
import { type Slice } from '../../platform/http/page.dto.js';
import { isoOrNull } from '../../platform/http/dates.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { timeBound } from '../../platform/fields/time-bound.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, joinedSql, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type AuditEntry } from './audit-entry.entity.js';
import { type AuditEntryDto, type AuditQuery } from '../audit.dto.js';
import { PendingCompletions } from './pending-completions.js';

type Row = Stored<Omit<AuditEntry, 'projectId'>> & {
  readonly first_name: string | null;
  readonly last_name: string | null;
  readonly email: string | null;
};

export interface AuditSubject extends Pick<AuditQuery, 'key' | 'user' | 'operation'> {
  readonly after: Date | null;
  readonly before: Date | null;
}

export const auditSubject = (query: AuditQuery, project: ProjectContext, now: Date): AuditSubject => ({
  ...query,
  after: timeBound(query.after, 'after', now, project),
  before: timeBound(query.before, 'before', now, project),
});

const select = (where: PgSql, window: PgSql): PgSql => pgSql`
  SELECT a.id, a.user_id, a.key_id, a.operation, a.ids, a.request_id, a.created_at, a.ended_at, a.status, a.rows,
    a.is_complete, u.first_name, u.last_name, u.email
  FROM audit_trail AS a LEFT JOIN users AS u ON u.id = a.user_id
  WHERE ${where}
  ${window}`;

const firstId = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
const entriesPerRead = 500;

/** Reads the trail, newest first. Completions that this process has started are awaited first. */
@Injectable()
export class AuditTrail {
  constructor(
    private readonly postgres: Postgres,
    private readonly endings: PendingCompletions,
  ) {}

  async page(
    project: ProjectContext,
    subject: AuditSubject,
    { limit, offset }: { readonly limit: number; readonly offset: number },
  ): Promise<Slice<AuditEntryDto>> {
    await this.endings.all();
    const where = conditionOf(project, subject);
    const [page, count] = await Promise.all([
      this.postgres.query<Row>(select(where, pgSql`ORDER BY a.id DESC LIMIT ${bound(limit)} OFFSET ${bound(offset)}`)),
      this.postgres.query<{ count: string }>(pgSql`SELECT count(*) FROM audit_trail AS a WHERE ${where}`),
    ]);
    return { count: Number(count.rows[0]?.count ?? 0), results: page.rows.map(toEntryDto) };
  }

  /** Yields all entries after the first `offset`, in constant memory. */
  async *walk(project: ProjectContext, subject: AuditSubject, offset: number): AsyncGenerator<AuditEntryDto> {
    await this.endings.all();
    const where = conditionOf(project, subject);
    for (let [last, skipped]: [string | undefined, number] = [firstId, offset]; last !== undefined; skipped = 0) {
      const window: PgSql = pgSql`
        AND a.id < ${bound(last)} ORDER BY a.id DESC LIMIT ${bound(entriesPerRead)} OFFSET ${bound(skipped)}`;
      const { rows }: { rows: Row[] } = await this.postgres.query<Row>(select(where, window));
      yield* rows.map(toEntryDto);
      last = rows.length < entriesPerRead ? undefined : rows.at(-1)?.id;
    }
  }
}

const conditionOf = ({ id }: ProjectContext, { key, user, operation, after, before }: AuditSubject): PgSql =>
  joinedSql(
    [
      pgSql`a.project_id = ${bound(id)}`,
      ...(key === undefined ? [] : [pgSql`a.key_id = ${bound(key)}`]),
      ...(user === undefined ? [] : [pgSql`a.user_id = ${bound(user)}`]),
      ...(operation === undefined ? [] : [pgSql`a.operation = ${bound(operation)}`]),
      ...(after === null ? [] : [pgSql`a.created_at > ${bound(after)}`]),
      ...(before === null ? [] : [pgSql`a.created_at < ${bound(before)}`]),
    ],
    pgSql` AND `,
  );

const toEntryDto = (row: Row): AuditEntryDto => ({
  id: row.id,
  created_at: row.created_at.toISOString(),
  user: { id: row.user_id, first_name: row.first_name ?? '', last_name: row.last_name ?? '', email: row.email },
  key_id: row.key_id,
  operation: row.operation,
  ids: row.ids,
  ended_at: isoOrNull(row.ended_at),
  status: row.status,
  rows: row.rows === null ? null : Number(row.rows),
  complete: row.is_complete,
  request_id: row.request_id,
});
