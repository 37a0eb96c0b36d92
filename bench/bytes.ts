import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { uuidv7 } from 'uuidv7';
import { rounded, type Bench, type Figure } from './bench.js';
import { cli } from '../test/support/process.js';
import { load } from './support/load.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';
import { batches, traffic } from './support/traffic.js';
import { walPosition } from './support/wal-position.js';
import { type SeedEvent } from '../src/app/demo/seed-events.js';

const events = Number(process.env.BENCH_EVENTS ?? 200_000);
const eventsPerPart = 20_000;
const connections = 8;

/** Measures the bytes of an event, as browsers send it, on the disk of PostgreSQL and in its write-ahead log. */
export const bytes: Bench = { name: 'bytes', run };

async function* run(): AsyncGenerator<Figure> {
  yield* withService(measure);
  yield* withService(measureCompressed);
}

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  const automatic = await propertiesOfBrowser();
  const sizeOf = JSON.stringify(asOfBrowser(automatic, traffic(1, 0)[0] as SeedEvent).properties).length;
  yield { figure: 'properties of an event, as JSON', value: sizeOf, unit: 'bytes' };
  const begun = await walPosition(service.database);
  for (let part = 0; part * eventsPerPart < events; part += 1) await loadPart(service, automatic, part);
  await untilIdle(service);
  const ended = await walPosition(service.database);
  const logged = await number(service, 'SELECT count(*) AS value FROM events');
  const each = perEvent(logged);
  yield { figure: 'events in the log', value: logged, unit: 'events' };
  yield each('an event in PostgreSQL, with its indexes', await number(service, sized('pg_total_relation_size')));
  yield each('of which the row', await number(service, sized('pg_table_size')));
  yield each('an event and what belongs to it, such as persons', await number(service, ofDatabase));
  yield each('write-ahead log of an event', ended - begun);
}

/**
 * Compression follows the events after some minutes, and what it leaves free on the pages is taken by later events: here it
 * follows each part. VACUUM comes after each part because the server, which would start it by itself, looks only once a minute.
 */
async function* measureCompressed(service: BenchedService): AsyncGenerator<Figure> {
  const automatic = await propertiesOfBrowser();
  const begun = await walPosition(service.database);
  for (let part = 0; part * eventsPerPart < events; part += 1) {
    await loadPart(service, automatic, part);
    const { code, stderr } = await cli({ DATA_DIR: service.dataDir }, 'events', 'compress');
    if (code !== 0) throw new Error(stderr);
    await service.database.query('VACUUM events');
  }
  await untilIdle(service);
  const each = perEvent(events);
  yield each('a compressed event, with its indexes', await number(service, sized('pg_total_relation_size')));
  yield each('of which the indexes', await number(service, sized('pg_indexes_size')));
  yield each('and its part of a block', await number(service, sized('pg_total_relation_size', 'event_blocks')));
  yield each('a compressed event and what belongs to it', await number(service, ofDatabase));
  yield each('write-ahead log of an event and its compression', (await walPosition(service.database)) - begun);
}

const loadPart = async (
  service: BenchedService,
  automatic: Readonly<Record<string, unknown>>,
  part: number,
): Promise<void> => {
  const some = traffic(eventsPerPart, part).map((event) => asOfBrowser(automatic, event));
  await load(service.url, connections, batches(service.project_token, some, 100));
};

const perEvent =
  (number: number) =>
  (figure: string, total: number): Figure => ({ figure, value: rounded(total / number, 0), unit: 'bytes' });

const sized = (
  of: 'pg_total_relation_size' | 'pg_table_size' | 'pg_indexes_size',
  table: 'events' | 'event_blocks' = 'events',
) => `SELECT ${of}('${table}'::regclass) AS value`;
const ofDatabase = 'SELECT pg_database_size(current_database()) AS value';

const number = async ({ database }: BenchedService, text: string): Promise<number> => {
  const { rows } = await database.query<{ value: string }>(text);
  return Number(rows[0]?.value);
};

interface Recording {
  readonly body: { readonly event?: string; readonly properties?: Readonly<Record<string, unknown>> };
}

/** The properties of a page view that the SDK for browsers has sent. */
const propertiesOfBrowser = async (): Promise<Readonly<Record<string, unknown>>> => {
  const recordings = JSON.parse(await readFile('test/events/recordings.json', 'utf8')) as Recording[];
  const found = recordings.find(({ body }) => body.event === '$pageview' && body.properties?.$initial_person_info);
  if (!found?.body.properties) throw new Error('there is no recording of a page view');
  // The token is that of another project.
  return Object.fromEntries(Object.entries(found.body.properties).filter(([name]) => name !== 'token'));
};

/** Properties that differ from event to event are random. */
const asOfBrowser = (automatic: Readonly<Record<string, unknown>>, event: SeedEvent): SeedEvent => ({
  ...event,
  properties: {
    ...automatic,
    ...event.properties,
    distinct_id: event.distinct_id,
    $insert_id: randomBytes(8).toString('hex'),
    $time: Date.parse(event.timestamp) / 1000,
    $session_id: uuidv7(),
    $window_id: uuidv7(),
  },
});
