import { randomUUID } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { rounded, type Bench, type Figure } from './bench.js';
import { load } from './support/load.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { batches, shuffled, traffic } from './support/traffic.js';
import { walPosition } from './support/wal-position.js';
import { withAdmin } from '../src/platform/postgres/embedded/admin.js';

const mostEvents = Number(process.env.BENCH_EVENTS ?? 4_000_000);
const sizes = [1_000_000, mostEvents];
const eventsPerPart = 500_000;
/** About as many as fit between two checkpoints. */
const measuredEvents = 1_000_000;
const eventsPerRound = 100_000;
const eventsPerPerson = 25;
const connections = 8;

const uuids = { 'ids of SDKs in browsers, in the order of time': uuidv7, 'random ids': randomUUID };

/**
 * What an insert costs when the log has grown, and its indexes with it: the first change of a page after a checkpoint writes the whole
 * page into the write-ahead log. Each size has stores of its own, so that the measurement ends before compression begins.
 */
export const logGrowth: Bench = {
  name: 'log-growth',
  async *run() {
    const first = new Map<string, number>();
    for (const size of sizes) yield* withService((service) => measure(service, size, first));
  },
};

async function* measure(service: BenchedService, size: number, first: Map<string, number>): AsyncGenerator<Figure> {
  let part = 0;
  await fill(service, size);
  for (const [kind, uuid] of Object.entries(uuids)) {
    await withAdmin(service.dataDir, (admin) => admin.query('CHECKPOINT'));
    const begun = await walPosition(service.database);
    let seconds = 0;
    for (let sent = 0; sent < measuredEvents; sent += eventsPerRound, part += 1) {
      const events = shuffled(traffic(eventsPerRound, part)).map((event) => ({ ...event, uuid: uuid() }));
      seconds += (await load(service.url, connections, batches(service.project_token, events, 500))).seconds;
    }
    await untilIdle(service);
    const each = ((await walPosition(service.database)) - begun) / measuredEvents;
    const at = `${size / 1_000_000} million events in the log, ${kind}`;
    yield { figure: `${at}: acknowledged`, value: rounded(measuredEvents / seconds, 0), unit: 'events/s' };
    yield { figure: `${at}: write-ahead log of an event`, value: rounded(each, 0), unit: 'bytes' };
    const smallest = first.get(kind) ?? each;
    first.set(kind, smallest);
    yield { figure: `${at}: the same ÷ at the first size`, value: rounded(each / smallest), unit: 'ratio', atMost: 2 };
  }
  const { rows } = await service.database.query<{ name: string; bytes: string }>(selectIndexes);
  for (const { name, bytes } of rows)
    yield {
      figure: `${size / 1_000_000} million events: index ${name} of an event`,
      value: rounded(Number(bytes) / (size + 2 * measuredEvents), 0),
      unit: 'bytes',
    };
}

const selectIndexes = `SELECT indexrelid::regclass::text AS name, pg_relation_size(indexrelid) AS bytes FROM pg_index
  WHERE indrelid = 'events'::regclass ORDER BY 1`;

/** Rows that look compressed, in the order of arrival and not of their index. */
const fill = async ({ database, project_id }: BenchedService, size: number): Promise<void> => {
  for (let from = 0; from < size; from += eventsPerPart)
    await database.query(
      `INSERT INTO events (project_id, uuid, event, distinct_id, timestamp, received_at, block, properties_bytes)
        SELECT $1, gen_random_uuid(), '$pageview', md5(floor(random() * $2)::text)::uuid::text,
          now() - random() * interval '3 years', now(), gen_random_uuid(), 2 FROM generate_series(1, $3::integer)`,
      [project_id, size / eventsPerPerson, Math.min(eventsPerPart, size - from)],
    );
};
