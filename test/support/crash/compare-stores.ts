import { eventsWithActor } from '../../../src/projection/actors.sql.js';
import { sql } from '../../../src/stores/clickhouse/sql.js';
import { integer, unsigned } from '../../../src/stores/clickhouse/values.js';
import { type Stores } from '../../../src/stores/open-stores.js';

const shards = 16;
const projectId = 1;

/** What both stores have of the first project, compared with each other and with what was acknowledged; all 0 when nothing is wrong. */
export const differences = async ({ dataSource, clickhouse }: Stores, acknowledged: ReadonlySet<string>) => {
  const log = await dataSource.query<{ uuid: string; person: string }[]>(
    `SELECT e.uuid, d.person_id AS person FROM events e
     LEFT JOIN person_distinct_ids d ON d.project_id = ${projectId} AND d.distinct_id = e.distinct_id
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
  const [counts] = await dataSource.query<{ withoutId: number; waiting: number }[]>(
    `SELECT (SELECT count(*)::int FROM persons p WHERE NOT EXISTS (SELECT 1 FROM person_distinct_ids d
              WHERE d.project_id = p.project_id AND d.person_id = p.id)) AS "withoutId",
            (SELECT count(*)::int FROM outbox) AS waiting`,
  );
  return {
    lost: [...acknowledged].filter((uuid) => !inLog.has(uuid)).length,
    doubledInLog: log.length - inLog.size,
    notAcknowledged: inLog.size - acknowledged.size,
    doubled,
    missing: [...inLog.keys()].filter((uuid) => !seen.has(uuid)).length,
    strangers: [...seen.keys()].filter((uuid) => !inLog.has(uuid)).length,
    misattributed: [...seen].filter(([uuid, actor]) => inLog.get(uuid) !== actor).length,
    personsWithoutId: counts?.withoutId,
    waiting: counts?.waiting,
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
};
