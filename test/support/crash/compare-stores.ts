import { eventsWithActor } from '../../../src/kernel/projection/actors.sql.js';
import { integer, sql, unsigned } from '../../../src/platform/clickhouse/sql.js';
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
    waiting: await count('outbox'),
    waitingOnNodes: await count('node_outbox'),
  };
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
  waiting: 0,
  waitingOnNodes: 0,
};
