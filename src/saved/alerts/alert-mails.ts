import { type ClientBase } from 'pg';
import { uuidv7 } from 'uuidv7';
import { appendNotice, type NewNotice } from '../../kernel/notices/notices.repository.js';
import { backlogOf } from '../../platform/postgres/backlog.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { type Postgres, type Queryable } from '../../platform/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Stored } from '../../platform/postgres/stored.js';
import { type Backlog } from '../../platform/telemetry/background-runs.js';
import { type AlertMail } from './alert-mail.entity.js';
import { retryDelayMs } from './schedule.js';

/** Appends the notice of an alert, with a mail to each of its users. Call it last in a transaction. */
export const tell = async (
  client: ClientBase,
  projectId: number,
  users: readonly number[],
  notice: NewNotice,
): Promise<void> => {
  const id = await appendNotice(client, { id: projectId }, notice);
  if (id === null || users.length === 0) return;
  await client.query(
    pgSql`INSERT INTO alert_mails (project_id, id, notice_id, user_id, attempts, next_attempt_at, created_at)
     SELECT ${bound(projectId)}, mail.id, ${bound(id)}, mail.user_id, 0, ${bound(notice.at)}, ${bound(notice.at)}
     FROM unnest(${bound(users.map(() => uuidv7()))}::uuid[], ${bound(users)}::integer[]) AS mail (id, user_id)`,
  );
};

/** True if the user may read the project `of`. */
const mayRead = (of: PgSql): PgSql => pgSql`(u.is_owner OR EXISTS (
  SELECT FROM project_members AS m WHERE m.project_id = ${of} AND m.user_id = u.id))`;

/** Returns those of the users who may read the project. */
export const readersAmong = async (
  reader: Queryable,
  projectId: number,
  users: readonly number[],
): Promise<readonly number[]> => {
  const { rows } = await reader.query<{ id: number }>(
    pgSql`SELECT u.id FROM users AS u WHERE u.id = ANY (${bound(users)}::integer[]) AND ${mayRead(pgSql`${bound(projectId)}`)}`,
  );
  return rows.map(({ id }) => id);
};

export type DueMail = Pick<Stored<AlertMail>, 'project_id' | 'id' | 'attempts' | 'created_at'> & {
  /** Null once the notice, the project or the rights of the user are gone. */
  readonly content: MailContent | null;
};

export interface MailContent {
  readonly email: string;
  readonly project: string;
  readonly timezone: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Returns the mail that has waited longest; null if none is due. */
export const nextMail = async (postgres: Queryable, now: Date): Promise<DueMail | null> => {
  const { rows } = await postgres.query<DueMail>(
    pgSql`SELECT a.project_id, a.id, a.attempts, a.created_at,
       CASE WHEN n.id IS NOT NULL AND u.id IS NOT NULL AND p.id IS NOT NULL THEN json_build_object(
         'email', u.email, 'project', p.name, 'timezone', p.timezone, 'type', n.type, 'data', n.data) END AS content
     FROM (SELECT * FROM alert_mails WHERE next_attempt_at <= ${bound(now)} ORDER BY next_attempt_at, id LIMIT 1) AS a
     LEFT JOIN notices AS n ON n.project_id = a.project_id AND n.id = a.notice_id
     LEFT JOIN projects AS p ON p.id = a.project_id AND p.deleted_at IS NULL
     LEFT JOIN users AS u ON u.id = a.user_id AND ${mayRead(pgSql`a.project_id`)}`.named('alert-mails-next'),
  );
  return rows[0] ?? null;
};

export const waitingMails = (postgres: Queryable): Promise<Backlog> =>
  backlogOf(postgres, pgSql`SELECT next_attempt_at AS due_at FROM alert_mails`);

const ofMail = ({ project_id, id }: DueMail): PgSql => pgSql`project_id = ${bound(project_id)} AND id = ${bound(id)}`;

/** Removes a mail that the server has, or that no user is to get any more. */
export const removeMail = (postgres: Postgres, lease: Lease, mail: DueMail): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    await client.query(pgSql`DELETE FROM alert_mails WHERE ${ofMail(mail)}`);
  });

/** Puts a mail off that the server did not take. */
export const postponeMail = (postgres: Postgres, lease: Lease, mail: DueMail, now: Date): Promise<void> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    const next = new Date(now.getTime() + retryDelayMs(mail.attempts));
    await client.query(
      pgSql`UPDATE alert_mails SET attempts = attempts + 1, next_attempt_at = ${bound(next)} WHERE ${ofMail(mail)}`,
    );
  });
