import { type ClientBase } from 'pg';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type DuePosition } from './positions.js';

/** The persons of a message. */
export interface MessagePersons {
  /** The members that have an identifier. */
  readonly added: readonly { readonly personId: number; readonly identifier: string }[];
  /** The persons who left. */
  readonly left: readonly number[];
  /** The range of a page: of its persons, the receiver keeps the added ones only. An end of null has no bound. */
  readonly range: { readonly after: number; readonly end: number | null } | null;
}

const membersOf = ({ webhook, cohort }: DuePosition): PgSql => pgSql`
  m.project_id = ${bound(webhook.projectId)} AND m.webhook_id = ${bound(webhook.id)} AND m.cohort_id = ${bound(cohort.id)}`;

const rangeOf = ({ range, left }: MessagePersons): PgSql =>
  range
    ? pgSql`m.person_id > ${bound(range.after)}::bigint
        AND (${bound(range.end)}::bigint IS NULL OR m.person_id <= ${bound(range.end)}::bigint)`
    : pgSql`m.person_id = ANY (${bound(left)}::bigint[])`;

export interface ToForget {
  readonly identifiers: readonly string[];
  /** The number of persons whom the receiver knew. */
  readonly persons: number;
}

/**
 * Notes what the message `id` is about to tell, and returns what its receiver has to forget: the identifiers of those who left or
 * have others now, unless another member has them.
 */
export const noteSending = async (
  client: ClientBase,
  due: DuePosition,
  id: string,
  persons: MessagePersons,
): Promise<ToForget> => {
  const { webhook, cohort } = due;
  const ids = bound(persons.added.map(({ personId }) => personId));
  const added = pgSql`unnest(${ids}::bigint[], ${bound(persons.added.map(({ identifier }) => identifier))}::text[]) AS a (person_id, identifier)`;
  await client.query(
    pgSql`INSERT INTO webhook_members AS m (project_id, webhook_id, cohort_id, person_id, identifier)
     SELECT ${bound(webhook.projectId)}::integer, ${bound(webhook.id)}::integer, ${bound(cohort.id)}::integer, a.person_id, a.identifier
     FROM ${added}
     ON CONFLICT (project_id, webhook_id, cohort_id, person_id, identifier) DO NOTHING`,
  );
  if (persons.left.length === 0 && persons.range === null) return { identifiers: [], persons: 0 };
  const { rows: leaving } = await client.query<{ person_id: string }>(
    pgSql`UPDATE webhook_members AS m SET leaving = ${bound(id)}::uuid
     WHERE ${membersOf(due)} AND ${rangeOf(persons)}
       AND NOT EXISTS (SELECT FROM ${added} WHERE a.person_id = m.person_id AND a.identifier = m.identifier)
     RETURNING m.person_id`,
  );
  const { rows } = await client.query<{ identifier: string }>(
    pgSql`SELECT DISTINCT m.identifier FROM webhook_members AS m
     WHERE ${membersOf(due)} AND m.leaving = ${bound(id)}::uuid AND NOT EXISTS (
       SELECT FROM webhook_members AS o WHERE o.project_id = m.project_id AND o.webhook_id = m.webhook_id
         AND o.cohort_id = m.cohort_id AND o.identifier = m.identifier AND o.leaving IS NULL)
     ORDER BY m.identifier`,
  );
  return {
    identifiers: rows.map(({ identifier }) => identifier),
    persons: new Set(leaving.map((row) => row.person_id)).size,
  };
};

/** Forgets what the receiver has forgotten, and keeps the id that it gave the cohort. */
export const noteAccepted = async (
  client: ClientBase,
  due: DuePosition,
  id: string,
  receiverCohort?: string,
): Promise<void> => {
  await client.query(
    pgSql`DELETE FROM webhook_members AS m WHERE ${membersOf(due)} AND m.leaving = ${bound(id)}::uuid`,
  );
  if (receiverCohort === undefined) return;
  const { webhook, cohort } = due;
  await client.query(
    pgSql`UPDATE webhook_positions SET receiver_cohort = ${bound(receiverCohort)}
     WHERE project_id = ${bound(webhook.projectId)} AND webhook_id = ${bound(webhook.id)} AND cohort_id = ${bound(cohort.id)}`,
  );
};

/** Takes back what a message was about to tell that is not sent any more: it may or may not have arrived. */
export const noteDropped = async (client: ClientBase, due: DuePosition, id: string): Promise<void> => {
  await client.query(
    pgSql`UPDATE webhook_members AS m SET leaving = NULL WHERE ${membersOf(due)} AND m.leaving = ${bound(id)}::uuid`,
  );
};
