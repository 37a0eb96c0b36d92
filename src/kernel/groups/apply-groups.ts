import { type ClientBase } from 'pg';
import { instantArray, textArray } from '../../platform/postgres/binary-array.js';
import { plannedByKey, projectOfStatement } from '../../platform/postgres/planned-by-key.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';
import { type Properties, type PropertyChanges } from '../identity/identity-event.js';
import { PersonProperties, maxPersonPropertiesBytes } from '../identity/person-properties.js';
import { type GroupName, groupActor, maxGroupTypes } from '../projection/named-groups.js';

/** A change of a group's properties by a `$groupidentify`. */
export interface GroupChange extends PropertyChanges {
  readonly group: GroupName;
}

/** The parts of a new event that concern groups. */
export interface GroupEvent {
  readonly uuid: string;
  readonly distinctId: string;
  readonly timestamp: Date;
  /** The groups that the event belongs to. */
  readonly groups: readonly GroupName[];
  readonly groupChange: GroupChange | null;
}

interface GroupWarning {
  readonly type: 'group_properties_too_large' | 'too_many_group_types';
  readonly detail: string;
  readonly eventUuid: string;
  readonly distinctId: string;
}

interface AppliedGroups {
  /** The groups that were made or changed, by their actors. */
  readonly changed: readonly string[];
  readonly warnings: readonly GroupWarning[];
}

interface Mention {
  readonly actor: string;
  readonly group: GroupName;
  /** The first event that names the group. */
  readonly event: GroupEvent;
}

const unchanged: AppliedGroups = { changed: [], warnings: [] };

/**
 * Makes the groups that new events name, and changes their properties, in the order the events were received, in the caller's
 * READ COMMITTED transaction. Types come before groups, groups before persons, and groups are locked in the order of their
 * actors, so that transactions wait for each other in one direction only.
 */
export const applyGroups = async (
  client: ClientBase,
  projectId: number,
  events: readonly GroupEvent[],
  now: Date,
): Promise<AppliedGroups> => {
  const mentions = mentionsIn(projectId, events);
  if (mentions.length === 0) return unchanged;
  const first = await makeGroups(client, projectId, mentions);
  if (first.unknown.length > 0) await makeTypes(client, projectId, mentions, new Set(first.unknown), now);
  const { made, unknown } =
    first.unknown.length > 0 ? await makeGroups(client, projectId, mentions, 'of known types') : first;
  const { changed, warnings } = await changeGroups(client, projectId, events);
  return { changed: [...new Set([...made, ...changed])], warnings: [...tooManyTypes(mentions, unknown), ...warnings] };
};

const mentionsIn = (projectId: number, events: readonly GroupEvent[]): Mention[] => {
  const mentions = new Map<string, Mention>();
  for (const event of events) {
    if (event.groups.length === 0 && event.groupChange === null) continue;
    for (const group of event.groupChange ? [...event.groups, event.groupChange.group] : event.groups) {
      const actor = groupActor(projectId, group);
      if (!mentions.has(actor)) mentions.set(actor, { actor, group, event });
    }
  }
  return [...mentions.values()];
};

// Each group is looked up by the primary key before an id is taken for it, because nearly all of them exist. While a type is
// unknown no group is made, because types come before groups in the order of locks.
const insert = `
  WITH mentioned AS (
    SELECT m.actor::bigint AS actor, m.type, m.key, m.created_at, (
      SELECT t.group_type_index FROM group_types AS t WHERE t.project_id = ${projectOfStatement} AND t.name = m.type
    ) AS group_type_index
    FROM unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) AS m (actor, type, key, created_at)
  ), made AS (
    INSERT INTO groups (project_id, actor, id, group_type_index, key, properties, created_at)
    SELECT $1, m.actor, nextval((SELECT pg_get_serial_sequence('groups', 'id')::regclass)), m.group_type_index, m.key, '{}',
      m.created_at
    FROM mentioned AS m
    WHERE m.group_type_index IS NOT NULL
      AND ($6::boolean OR NOT EXISTS (SELECT FROM mentioned WHERE group_type_index IS NULL))
      AND (SELECT g.actor FROM groups AS g WHERE g.project_id = ${projectOfStatement} AND g.actor = m.actor) IS NULL
    ORDER BY m.actor
    ON CONFLICT DO NOTHING
    RETURNING actor
  )
  SELECT coalesce((SELECT array_agg(actor::text) FROM made), '{}') AS made,
    coalesce((SELECT array_agg(DISTINCT type) FROM mentioned WHERE group_type_index IS NULL), '{}') AS unknown`;

interface MadeGroups {
  /** The actors of the groups that did not exist. */
  readonly made: readonly string[];
  /** The types that the project does not have. */
  readonly unknown: readonly string[];
}

const makeGroups = async (
  client: ClientBase,
  projectId: number,
  mentions: readonly Mention[],
  which: 'all' | 'of known types' = 'all',
): Promise<MadeGroups> => {
  const { rows } = await client.query<MadeGroups>({
    name: 'groups-make',
    text: insert,
    values: [
      projectId,
      textArray(mentions, ({ actor }) => actor),
      textArray(mentions, ({ group }) => group.type),
      textArray(mentions, ({ group }) => group.key),
      instantArray(mentions, ({ event }) => event.timestamp),
      which === 'of known types',
    ],
  });
  return rows[0] ?? { made: [], unknown: [] };
};

/**
 * Gives each new type the next index. A transaction that takes the same index, or adds the same type, waits for the first one,
 * and then tries the next index.
 */
const makeTypes = async (
  client: ClientBase,
  projectId: number,
  mentions: readonly Mention[],
  unknown: Set<string>,
  now: Date,
): Promise<void> => {
  for (const { group } of mentions) {
    if (!unknown.delete(group.type)) continue;
    for (let attempt = 0; attempt < maxGroupTypes; attempt += 1) {
      const { rowCount } = await client.query(
        pgSql`
        INSERT INTO group_types (project_id, group_type_index, name, created_at)
        SELECT ${bound(projectId)}, next.index, ${bound(group.type)}, ${bound(now)}
        FROM (
          SELECT coalesce(max(group_type_index) + 1, 0) AS index FROM group_types WHERE project_id = ${bound(projectId)}
        ) AS next
        WHERE next.index < ${bound(maxGroupTypes)}
        ON CONFLICT DO NOTHING`,
      );
      const { rowCount: known } = await client.query(
        pgSql`SELECT FROM group_types WHERE project_id = ${bound(projectId)}
          AND (name = ${bound(group.type)} OR group_type_index = ${bound(maxGroupTypes - 1)})`,
      );
      if (rowCount || known) break;
    }
  }
};

const tooManyTypes = (mentions: readonly Mention[], unknown: readonly string[]): GroupWarning[] => {
  const types = new Set(unknown);
  return mentions.flatMap(({ group, event }) =>
    types.delete(group.type)
      ? [
          {
            type: 'too_many_group_types' as const,
            detail: `a project has at most ${maxGroupTypes} types of groups: ${JSON.stringify(group.type)} is ignored`,
            eventUuid: event.uuid,
            distinctId: event.distinctId,
          },
        ]
      : [],
  );
};

const lock = `
  SELECT g.actor::text, g.properties FROM groups AS g
  WHERE g.project_id = ${projectOfStatement} AND g.actor = ANY ($2::bigint[]) AND ${plannedByKey('g.actor')}
  ORDER BY g.actor
  FOR UPDATE`;

const update = `
  UPDATE groups AS g
  SET properties = (g.properties - patch.removed) || patch.changed
  FROM jsonb_to_recordset($2::jsonb) AS patch (actor bigint, changed jsonb, removed text[])
  WHERE g.project_id = ${projectOfStatement} AND g.actor = patch.actor AND ${plannedByKey('patch.actor')}`;

const changeGroups = async (
  client: ClientBase,
  projectId: number,
  events: readonly GroupEvent[],
): Promise<AppliedGroups> => {
  const changing = events.flatMap((event) =>
    event.groupChange
      ? [{ event, change: event.groupChange, actor: groupActor(projectId, event.groupChange.group) }]
      : [],
  );
  if (changing.length === 0) return unchanged;
  const actors = [...new Set(changing.map(({ actor }) => actor))];
  const { rows } = await client.query<{ actor: string; properties: Properties }>({
    name: 'groups-lock',
    text: lock,
    values: [projectId, actors],
  });
  const properties = new Map(rows.map((row) => [row.actor, new PersonProperties(row.properties)]));
  const warnings: GroupWarning[] = [];
  for (const { event, change, actor } of changing) {
    if (properties.get(actor)?.apply(change) === false) warnings.push(tooLarge(event));
  }
  const patches = [...properties].flatMap(([actor, each]) => (each.isChanged ? [{ actor, ...each.patch() }] : []));
  if (patches.length > 0)
    await client.query({ name: 'groups-update', text: update, values: [projectId, JSON.stringify(patches)] });
  return { changed: patches.map(({ actor }) => actor), warnings };
};

const tooLarge = ({ uuid, distinctId }: GroupEvent): GroupWarning => ({
  type: 'group_properties_too_large',
  detail: `the group's properties would exceed ${maxPersonPropertiesBytes} bytes: the event changes none of them`,
  eventUuid: uuid,
  distinctId,
});
