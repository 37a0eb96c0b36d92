import { type ClientBase } from 'pg';
import { type DecidedMerge, type MadePerson } from './decide.js';
import { type MergeReason } from './identity-event.js';
import { type WorkingPersonRef } from './person-group.js';
import { personUuid } from './person-ref.js';
import { plannedByKey, projectOfStatement } from '../../platform/postgres/planned-by-key.js';
import { type Reserved } from './reserve.js';

interface MergeToRecord {
  /** The ids of records follow the order of the merges. */
  readonly merge_id: string;
  readonly survivor: string;
  readonly merged: string;
  /** When the survivor was created, if this transaction made it. It is then recorded as having had no properties before. */
  readonly survivor_made_at: Date | null;
  readonly merged_made_at: Date | null;
  /** Set only if this transaction made the merged person, which then has no row. */
  readonly merged_uuid: string | null;
  readonly new_ids: readonly string[];
  readonly reason: MergeReason;
  readonly event_uuid: string | null;
}

const stored = (person: 'survivor' | 'merged'): string => `
  LEFT JOIN LATERAL (
    SELECT * FROM persons
    WHERE project_id = ${projectOfStatement} AND id = input.${person} AND input.${person}_made_at IS NULL LIMIT 1
  ) AS ${person} ON true`;

const idsOf = (column: string, person: 'survivor' | 'merged', rest = ''): string => `
  SELECT ${column} FROM person_distinct_ids AS d
  WHERE d.project_id = ${projectOfStatement} AND d.person_id = input.${person} AND input.${person}_made_at IS NULL ${rest}`;

const lastPosition = (person: 'survivor' | 'merged'): string =>
  `(${idsOf('d.position', person, 'ORDER BY d.position DESC LIMIT 1')})`;

const members = (person: 'survivor' | 'merged'): string =>
  `FROM static_cohort_members AS m WHERE m.project_id = ${projectOfStatement} AND m.person_id = input.${person}`;

const input = `jsonb_to_recordset($2::jsonb) AS input (
  merge_id bigint, survivor bigint, merged bigint, survivor_made_at timestamptz, merged_made_at timestamptz, merged_uuid uuid,
  new_ids text[], reason text, event_uuid uuid
)`;

const mergedIds = `(${idsOf('d.distinct_id', 'merged')} UNION SELECT unnest(input.new_ids))`;

const record = `
  INSERT INTO person_merges (
    project_id, id, survivor, survivor_properties, survivor_is_identified, survivor_created_at, survivor_cohorts,
    merged, merged_uuid, merged_properties, merged_is_identified, merged_created_at, merged_cohorts,
    distinct_ids, last_position, redirects, reason, event_uuid, merged_at
  )
  SELECT $1, input.merge_id,
    input.survivor, coalesce(survivor.properties, '{}'), coalesce(survivor.is_identified, false), coalesce(survivor.created_at, input.survivor_made_at),
    ARRAY(SELECT m.cohort_id ${members('survivor')} ORDER BY m.cohort_id),
    input.merged, coalesce(merged.uuid, input.merged_uuid),
    coalesce(merged.properties, '{}'), coalesce(merged.is_identified, false), coalesce(merged.created_at, input.merged_made_at),
    ARRAY(SELECT m.cohort_id ${members('merged')} ORDER BY m.cohort_id),
    cardinality(ARRAY${mergedIds}), coalesce(greatest(${lastPosition('survivor')}, ${lastPosition('merged')}), 0),
    ARRAY(SELECT r.source FROM person_redirects AS r WHERE r.project_id = ${projectOfStatement} AND r.target = input.merged),
    input.reason, input.event_uuid, $3::timestamptz
  FROM ${input} ${stored('survivor')} ${stored('merged')}
  WHERE ${plannedByKey('input.survivor')}`;

// A statement of its own, because Citus sends to all nodes what two parts of one statement read.
const recordIds = `
  INSERT INTO person_merge_ids (project_id, merge_id, distinct_id)
  SELECT $1, input.merge_id, ids.distinct_id
  FROM ${input} CROSS JOIN LATERAL ${mergedIds} AS ids (distinct_id)
  WHERE ${plannedByKey('input.survivor')}`;

/**
 * Records merges so that they can be undone. Call it before the merges change anything, while both persons of each are locked.
 * Both statements are sent at once.
 */
export const recordMerges = async (
  client: ClientBase,
  projectId: number,
  merges: readonly MergeToRecord[],
  now: Date,
): Promise<void> => {
  if (merges.length === 0) return;
  const list = JSON.stringify(merges);
  await Promise.all([
    client.query({ name: 'identity-record', text: record, values: [projectId, list, now] }),
    client.query({ name: 'identity-record-ids', text: recordIds, values: [projectId, list] }),
  ]);
};

const newIds = `
  SELECT ARRAY(SELECT nextval(pg_get_serial_sequence('persons', 'id')::regclass) FROM generate_series(1, $1::integer))::text[] AS persons,
    ARRAY(SELECT nextval(pg_get_serial_sequence('person_merges', 'id')::regclass) FROM generate_series(1, $2::integer))::text[] AS merges`;

/** Ids for records of merges, and for persons that are made and merged by the same events, and so have no row. */
const idsToRecord = async (
  client: ClientBase,
  numbers: { readonly persons: number; readonly merges: number },
): Promise<{ readonly persons: readonly string[]; readonly merges: readonly string[] }> => {
  const { rows } = await client.query<{ persons: string[]; merges: string[] }>({
    name: 'identity-new-ids',
    text: newIds,
    values: [numbers.persons, numbers.merges],
  });
  return rows[0] ?? { persons: [], merges: [] };
};

interface Rows {
  readonly planned: readonly MadePerson[];
  readonly reserved: Reserved;
  /** True if the event log has the events. */
  readonly inLog: boolean;
}

/** Adds the ids of the persons to the decided merges. A person that one event made and the next one merged gets an id too. */
export const decidedMerges = async (
  client: ClientBase,
  projectId: number,
  merges: readonly DecidedMerge[],
  { planned, reserved, inLog }: Rows,
): Promise<MergeToRecord[]> => {
  if (merges.length === 0) return [];
  const withRow = new Set(planned.map(({ distinctId }) => distinctId));
  const madeFor = new Map<string, string | null>();
  for (const { merged, into } of merges) {
    for (const ref of [merged, into]) {
      if ('madeFor' in ref)
        madeFor.set(ref.madeFor, (withRow.has(ref.madeFor) && reserved.rows.get(ref.madeFor)) || null);
    }
  }
  const without = [...madeFor].flatMap(([distinctId, row]) => (row === null ? [distinctId] : []));
  const ids = await idsToRecord(client, { persons: without.length, merges: merges.length });
  without.forEach((distinctId, at) => madeFor.set(distinctId, ids.persons[at] ?? ''));
  const idOf = (ref: WorkingPersonRef): string => ('stored' in ref ? ref.stored : (madeFor.get(ref.madeFor) ?? ''));
  return merges.map(({ merged, into, mergedCreatedAt, intoCreatedAt, newIds, kind, eventUuid }, at) => ({
    merge_id: ids.merges[at] ?? '',
    survivor: idOf(into),
    merged: idOf(merged),
    survivor_made_at: 'madeFor' in into ? intoCreatedAt : null,
    merged_made_at: 'madeFor' in merged ? mergedCreatedAt : null,
    merged_uuid: 'madeFor' in merged ? personUuid(projectId, merged.madeFor) : null,
    new_ids: newIds,
    reason: inLog || kind === 'import' ? kind : 'by_hand',
    event_uuid: inLog ? eventUuid : null,
  }));
};
