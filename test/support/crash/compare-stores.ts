import { eventsWithActor } from '../../../src/kernel/projection/actors.sql.js';
import { type Sql, integer, sql, unsigned } from '../../../src/platform/clickhouse/sql.js';
import { propertyText } from '../../../src/kernel/projection/schema/property.sql.js';
import { type Stores } from '../../../src/kernel/stores/open-stores.js';

const shards = 16;

/** Compares both stores of a project with each other and with what was acknowledged; all 0 when nothing is wrong. */
export const differences = async (
  { dataSource, clickhouse }: Stores,
  acknowledged: ReadonlySet<string>,
  projectId: number,
) => {
  const log = await dataSource.query<{ uuid: string; person: string }[]>(
    `SELECT e.uuid, d.person_id AS person FROM events e
     LEFT JOIN person_distinct_ids d ON d.project_id = e.project_id AND d.distinct_id = e.distinct_id
     WHERE e.project_id = ${projectId}`,
  );
  const inLog = new Map(log.map(({ uuid, person }) => [uuid, person]));
  const seen = new Map<string, string>();
  let doubled = 0;
  for (let shard = 0; shard < shards; shard += 1) {
    const rows = await clickhouse.query<{ id: string; actor: string }>(
      sql`SELECT toString(uuid) AS id, toString(actor) AS actor FROM ${eventsWithActor(projectId)}
          WHERE cityHash64(uuid) % ${integer(shards)} = ${integer(shard)} LIMIT ${unsigned(1_000_000)}`,
      { project: 'system', maxResultRows: 1_000_000 },
    );
    for (const { id, actor } of rows) {
      if (seen.has(id)) doubled += 1;
      seen.set(id, actor);
    }
  }
  const count = async (rows: string) =>
    (await dataSource.query<{ count: number }[]>(`SELECT count(*)::int AS count FROM ${rows}`))[0]?.count;
  return {
    lost: [...acknowledged].filter((uuid) => !inLog.has(uuid)).length,
    doubledInLog: log.length - inLog.size,
    notAcknowledged: inLog.size - acknowledged.size,
    doubled,
    missing: [...inLog.keys()].filter((uuid) => !seen.has(uuid)).length,
    strangers: [...seen.keys()].filter((uuid) => !inLog.has(uuid)).length,
    misattributed: [...seen].filter(([uuid, actor]) => inLog.get(uuid) !== actor).length,
    personsWithoutId: await count(`persons p WHERE p.project_id = ${projectId} AND NOT EXISTS (
      SELECT 1 FROM person_distinct_ids d WHERE d.project_id = p.project_id AND d.person_id = p.id)`),
    ...(await groupDifferences({ dataSource, clickhouse }, projectId)),
    waiting: await count('outbox'),
    waitingOnNodes: await count('node_outbox'),
  };
};

const groupsOfProject = `
  SELECT g.actor::text, g.group_type_index AS type, t.name, g.key, coalesce(g.properties ->> 'last', '') AS last,
    coalesce(g.properties ->> 'first', '') AS first
  FROM groups g JOIN group_types t ON t.project_id = g.project_id AND t.group_type_index = g.group_type_index
  WHERE g.project_id = $1`;

interface GroupRow {
  readonly actor: string;
  readonly type: number;
  readonly name: string;
  readonly key: string;
  readonly last: string;
  readonly first: string;
}

/** Compares the groups with the events that name and describe them, and both stores with each other. */
const groupDifferences = async (
  { dataSource, clickhouse }: Pick<Stores, 'dataSource' | 'clickhouse'>,
  projectId: number,
) => {
  const ask = <Row extends object>(statement: Sql) =>
    clickhouse.query<Row>(statement, { project: 'system', maxResultRows: 1_000_000 });
  const project = unsigned(projectId);
  const stored = await dataSource.query<GroupRow[]>(groupsOfProject, [projectId]);
  const actors = new Map(stored.map(({ name, key, actor }) => [`${name} ${key}`, actor]));
  const types = new Map(stored.map(({ name, type }) => [name, type]));
  // Properties of old events are in blocks of the log; those of the projection are the same.
  const named = await ask<{ sent: string; groups: Record<string, string>; events: number }>(
    sql`SELECT ifNull(${propertyText(sql`properties`, '$groups')}, '{}') AS sent,
          mapApply((type, actor) -> (toString(type), toString(actor)), groups) AS groups, uniqExact(uuid) AS events
        FROM events WHERE project_id = ${project} GROUP BY sent, groups LIMIT ${unsigned(1_000_000)}`,
  );
  let [lost, misnamed] = [0, 0];
  for (const { sent, groups, events } of named) {
    const names = Object.entries(JSON.parse(sent) as Record<string, string>);
    const expected = names.map(([name, key]) => [String(types.get(name)), actors.get(`${name} ${key}`)]);
    lost += expected.filter(([, actor]) => actor === undefined).length;
    if (unlike(expected, Object.entries(groups)) > 0) misnamed += events;
  }
  const described = await ask<{ uuid: string; key: string }>(
    sql`SELECT toString(uuid) AS uuid, ifNull(${propertyText(sql`properties`, '$group_key')}, '') AS key FROM events
        WHERE project_id = ${project} AND event = '$groupidentify' LIMIT ${unsigned(1_000_000)}`,
  );
  const keys = new Map(described.map(({ uuid, key }) => [uuid, key]));
  const projected = await ask<object>(
    sql`SELECT toString(actor) AS actor, group_type_index AS type, key,
          ifNull(${propertyText(sql`properties`, 'last')}, '') AS last,
          ifNull(${propertyText(sql`properties`, 'first')}, '') AS first
        FROM groups FINAL WHERE project_id = ${project}`,
  );
  const isDescribed = new Set(described.map(({ key }) => key));
  return {
    groupsLost: lost + [...isDescribed].filter((key) => !actors.has(`company ${key}`)).length,
    groupsMisnamed: misnamed,
    groupsMisdescribed: stored.filter(
      ({ key, last, first }) => isDescribed.has(key) && [last, first].some((uuid) => keys.get(uuid) !== key),
    ).length,
    groupsUnlike: unlike(
      stored.map(({ name: _name, ...group }) => group),
      projected,
    ),
  };
};

/** The number of rows that only one of the lists has. */
const unlike = (some: readonly object[], others: readonly object[]): number => {
  const [mine, theirs] = [some, others].map((rows) => rows.map((row) => JSON.stringify(row)));
  const only = (list: string[] = [], other: string[] = []) => list.filter((row) => !other.includes(row)).length;
  return only(mine, theirs) + only(theirs, mine);
};

export const noDifferences = {
  lost: 0,
  doubledInLog: 0,
  notAcknowledged: 0,
  doubled: 0,
  missing: 0,
  strangers: 0,
  misattributed: 0,
  personsWithoutId: 0,
  groupsLost: 0,
  groupsMisnamed: 0,
  groupsMisdescribed: 0,
  groupsUnlike: 0,
  waiting: 0,
  waitingOnNodes: 0,
};
