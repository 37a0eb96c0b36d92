import { type ClientBase } from 'pg';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type PersonNoticeType, personNoticeTypes } from './notice.entity.js';
import { noticeLock } from './notices.repository.js';

/**
 * True if a webhook of the project $1 tells of persons. It is a column of a statement that makes persons anyway, so that projects
 * without such a webhook pay nothing for it.
 */
export const areToldOf = `EXISTS (
    SELECT FROM webhooks AS w WHERE w.project_id = $1 AND w.events && '{${personNoticeTypes.join(',')}}'::text[])`;

/** Persons, each with what a message has of it: nothing but ids. */
interface PersonNotices {
  readonly type: PersonNoticeType;
  readonly persons: readonly object[];
}

const toldOf = (id: string) => ({ id: Number(id) });

export const noticesOfCreated = (ids: readonly string[]): PersonNotices => ({
  type: 'person.created',
  persons: ids.map(toldOf),
});

export const noticesOfDeleted = (ids: readonly string[]): PersonNotices => ({
  type: 'person.deleted',
  persons: ids.map(toldOf),
});

export const noticesOfMerged = (
  moves: readonly { readonly source: string; readonly target: string }[],
): PersonNotices => ({
  type: 'person.merged',
  persons: moves.map(({ source, target }) => ({ ...toldOf(source), merged_into: Number(target) })),
});

/**
 * Appends a notice for each person, in this order, of the types of which a webhook tells. Like `appendNotice`, it makes other
 * transactions of the project that append wait, but only if there is such a webhook.
 */
export const appendPersonNotices = async (
  client: ClientBase,
  projectId: number,
  notices: readonly PersonNotices[],
  at: Date,
): Promise<void> => {
  const rows = notices.flatMap(({ type, persons }) => persons.map((data) => ({ type, data })));
  if (rows.length === 0) return;
  const project = bound(projectId);
  const types = bound([...new Set(rows.map(({ type }) => type))]);
  await client.query(
    pgSql`WITH subscription AS MATERIALIZED (
       SELECT ${noticeLock(projectId)} FROM (
         SELECT FROM webhooks AS w WHERE w.project_id = ${project} AND w.events && ${types}::text[] LIMIT 1
       ) AS webhook
     )
     INSERT INTO notices (project_id, type, key, data, at)
     SELECT ${project}, n.type, gen_random_uuid()::text, n.data, ${bound(at)}
     FROM subscription CROSS JOIN jsonb_array_elements(${bound(JSON.stringify(rows))}::jsonb) WITH ORDINALITY AS row (value, nth)
     CROSS JOIN LATERAL jsonb_to_record(row.value) AS n (type text, data jsonb)
     WHERE EXISTS (SELECT FROM webhooks AS w WHERE w.project_id = ${project} AND n.type = ANY (w.events))
     ORDER BY row.nth`.named('notices-append-persons'),
  );
};
