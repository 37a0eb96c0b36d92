import { eventsTable } from '../schema/projected-tables.js';
import { blockProperties } from '../blocks/block-properties.js';
import { projectedText } from '../schema/property.sql.js';
import { type WrittenProperties } from '../../../platform/clickhouse/request.js';
import {
  type Cargo,
  type ProjectedRow,
  type Reader,
  loggedBytes,
  ownersOf,
  storableInstant,
  thisProject,
} from './cargo.js';
import { type PgSql, bound, pgSql } from '../../../platform/postgres/sql.js';
import { type NamedActors, namedActors, namedGroups } from '../named-groups.js';
import { profilelessActor } from '../actors.sql.js';
import { type RecentEvent, type RecentEvents } from './recent-events.js';

interface EventRow {
  uuid: string;
  event: string;
  distinct_id: string;
  person_id: string | null;
  timestamp: string;
  received_at: string;
  /** As JSON text. */
  properties: string;
}

interface StoredRow extends Omit<EventRow, 'properties'> {
  properties: string | null;
  block: string | null;
}

/** Reads key by key, because the planner would otherwise join with the whole project. */
const selectByUuid = (projectId: number, uuids: readonly string[]): PgSql => {
  const project = thisProject(projectId);
  return pgSql`
    SELECT e.uuid, e.event, e.distinct_id, d.person_id, ${storableInstant(pgSql`e.timestamp`)} AS timestamp,
      ${storableInstant(pgSql`e.received_at`)} AS received_at, e.properties::text AS properties, e.block
    FROM unnest(${bound(uuids)}::uuid[]) AS requested (uuid)
    CROSS JOIN LATERAL (SELECT * FROM events WHERE project_id = ${project} AND uuid = requested.uuid LIMIT 1) e
    LEFT JOIN LATERAL (
      SELECT person_id FROM person_distinct_ids WHERE project_id = ${project} AND distinct_id = e.distinct_id LIMIT 1
    ) d ON true`.named('projection-events');
};

const sizesOf = (projectId: number, uuids: readonly string[]): PgSql => pgSql`
  SELECT array_agg(coalesce(e.bytes, 0) ORDER BY requested.at) AS bytes
  FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS requested (uuid, at)
  LEFT JOIN LATERAL (
    SELECT ${loggedBytes} AS bytes FROM events WHERE project_id = ${thisProject(projectId)} AND uuid = requested.uuid LIMIT 1
  ) e ON true`;

interface ProjectedEvent extends ProjectedRow {
  /** By the names of types, and then by their indexes. */
  groups: NamedActors;
}

/** Events as they were logged, with the person they belong to at the moment of reading. */
export const eventsCargo = (recent: RecentEvents): Cargo => ({
  kind: 'events',
  table: eventsTable,
  sizes: async (reader, projectId, keys) => {
    const known = keys.map((key) => recent.bytesOf(projectId, key));
    const unknown = keys.filter((_, at) => known[at] === undefined);
    const measured = (await measure(reader, projectId, unknown)).values();
    return known.map((bytes) => bytes ?? measured.next().value ?? 0);
  },
  read: async (reader, projectId, keys, version) => {
    const [here, elsewhere] = split(keys, (key) => recent.take(projectId, key));
    const fromLog = await readLog(reader, projectId, elsewhere);
    const logged = new Set(fromLog.map(({ uuid }) => uuid));
    const owners = await ownersIn(reader, projectId, here);
    const rows = here.map((event) =>
      projected(projectId, event, event.properties, owners.get(event.distinct_id) ?? null, version),
    );
    for (const row of fromLog) {
      const event = { ...row, groups: groupsIn(projectId, row.properties) };
      rows.push(projected(projectId, event, projectedText(row.properties), row.person_id, version));
    }
    await numberGroups(reader, projectId, rows);
    return { rows, gone: elsewhere.filter((key) => !logged.has(key)) };
  },
});

const measure = async (reader: Reader, projectId: number, keys: readonly string[]): Promise<readonly number[]> => {
  if (keys.length === 0) return [];
  const { rows } = await reader.query<{ bytes: number[] }>(sizesOf(projectId, keys));
  return rows[0]?.bytes ?? [];
};

const readLog = async (reader: Reader, projectId: number, keys: readonly string[]): Promise<EventRow[]> => {
  if (keys.length === 0) return [];
  const { rows } = await reader.query<StoredRow>(selectByUuid(projectId, keys));
  const inBlocks = await blockProperties(reader, projectId, rows);
  return rows.flatMap(({ block, ...row }) => {
    const properties = block === null ? row.properties : inBlocks.get(row.uuid);
    return properties === null || properties === undefined ? [] : [{ ...row, properties }];
  });
};

const ownersIn = async (
  reader: Reader,
  projectId: number,
  events: readonly RecentEvent[],
): Promise<ReadonlyMap<string, string>> =>
  events.length === 0
    ? new Map()
    : ownersOf(reader, projectId, [...new Set(events.map(({ distinct_id }) => distinct_id))]);

const split = (
  keys: readonly string[],
  take: (key: string) => RecentEvent | undefined,
): [here: RecentEvent[], elsewhere: string[]] => {
  const here: RecentEvent[] = [];
  const elsewhere: string[] = [];
  for (const key of keys) {
    const event = take(key);
    if (event) here.push(event);
    else elsewhere.push(key);
  }
  return [here, elsewhere];
};

/** The groups that an event of the log names, of which nearly all have none. */
const groupsIn = (projectId: number, properties: string): NamedActors =>
  properties.includes('"$groups"')
    ? namedActors(projectId, namedGroups(JSON.parse(properties) as Record<string, unknown>).groups)
    : undefined;

/** Replaces the names of types by their indexes. A type without an index is one too many, and is left out. */
const numberGroups = async (
  reader: Reader,
  projectId: number,
  rows: readonly { groups: NamedActors }[],
): Promise<void> => {
  const inGroups = rows.filter(({ groups }) => groups !== undefined);
  if (inGroups.length === 0) return;
  const { rows: types } = await reader.query<{ name: string; index: number }>(
    pgSql`SELECT name, group_type_index AS index FROM group_types WHERE project_id = ${bound(projectId)}`,
  );
  const indexes = new Map(types.map(({ name, index }) => [name, index]));
  for (const row of inGroups) row.groups = numbered(row.groups, indexes);
};

const numbered = (groups: NamedActors, indexes: ReadonlyMap<string, number>): NamedActors => {
  const actors: Record<number, string> = {};
  for (const type in groups) {
    const index = indexes.get(type);
    if (index !== undefined) actors[index] = groups[type] as string;
  }
  return actors;
};

/** Written out field by field: copying the event and adding the rest would take several times as long. */
const projected = (
  projectId: number,
  event: Omit<RecentEvent, 'properties'>,
  properties: WrittenProperties | ReturnType<typeof projectedText>,
  personId: string | null,
  version: string,
): ProjectedEvent => ({
  project_id: projectId,
  uuid: event.uuid,
  event: event.event,
  distinct_id: event.distinct_id,
  actor: personId ?? profilelessActor(projectId, event.distinct_id),
  timestamp: event.timestamp,
  received_at: event.received_at,
  properties,
  version,
  groups: event.groups,
});

/**
 * Events whose rows must be removed, whatever the log contains now: an event that was sent again has its own entry in the
 * outbox.
 */
export const removedEventsCargo = (recent: RecentEvents): Cargo => ({
  kind: 'removed_events',
  table: eventsTable,
  sizes: null,
  removesOnlyOlder: true,
  read: (_reader, projectId, keys) => {
    for (const key of keys) recent.take(projectId, key);
    return Promise.resolve({ rows: [], gone: keys });
  },
});
