import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { cli } from '../test/support/process.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { copyOut } from './support/copy.js';
import { ProcessorTime } from './support/processor-time.js';
import { ResidentMemory } from './support/resident-memory.js';
import { withService, type BenchedService } from './support/service.js';
import { download, downloadByCurl, seedShop } from './support/shop.js';

const eventCount = Number(process.env.BENCH_EVENTS ?? 5_000_000);
const rounds = 2;

/** All events as NDJSON over HTTP, beside COPY of the same rows; and the other formats. */
export const exported: Bench = {
  name: 'export',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await seedShop(service, eventCount);
  const copy = `COPY (SELECT uuid, event, distinct_id, timestamp, properties FROM events
    WHERE project_id = ${service.project_id}) TO STDOUT`;
  await download(service, 'events?limit=20000');
  const memory = await ResidentMemory.of(service.pid);
  const spent = ProcessorTime.of(service.pid);
  const seconds = { exported: 0, copied: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const events = await memory.watch(() => spent.during(() => downloadByCurl(service, 'events')));
    seconds.copied += await copyByPsql(service, copy);
    seconds.exported += events.seconds;
    if (events.lines !== eventCount) throw new Error(`${events.lines} lines were exported`);
  }
  const rows = rounds * eventCount;
  yield { figure: 'events as NDJSON over HTTP', value: rounded(rows / seconds.exported, 0), unit: 'rows/s' };
  yield { figure: 'COPY of the same rows', value: rounded(rows / seconds.copied, 0), unit: 'rows/s' };
  yield { figure: 'NDJSON ÷ COPY', value: rounded(seconds.copied / seconds.exported), unit: 'ratio', atLeast: 0.5 };
  yield { figure: 'processor time of the service', value: rounded(spent.microseconds / rows), unit: 'µs/row' };
  yield { figure: 'growth of resident memory', value: rounded(memory.growthMiB, 0), unit: 'MB', atMost: 96 };
  yield* exportedFrom('compressed', service, memory, ['compress']);
  yield* exportedFrom('archived', service, memory, ['archive', '--before', '2100-01-01']);
  const csv = await download(service, 'events?format=csv');
  yield { figure: 'events as CSV over HTTP', value: rounded(eventCount / csv.seconds, 0), unit: 'rows/s' };
  const parquet = await download(service, 'events?format=parquet');
  yield { figure: 'a Parquet file of up to 100,000 events', value: rounded(parquet.seconds), unit: 's' };
}

/** The same export once properties are no longer in their rows. */
async function* exportedFrom(
  where: string,
  service: BenchedService,
  memory: ResidentMemory,
  command: readonly string[],
): AsyncGenerator<Figure> {
  const started = performance.now();
  const { code, stderr } = await cli(
    { DATA_DIR: service.dataDir, EVENT_ARCHIVE: archiveIn(service.dataDir) },
    'events',
    ...command,
  );
  if (code !== 0) throw new Error(stderr);
  const moved = eventCount / ((performance.now() - started) / 1000);
  yield { figure: `events ${where} in a second`, value: rounded(moved, 0), unit: 'events/s' };
  const { lines, seconds } = await memory.watch(() => downloadByCurl(service, 'events'));
  if (lines !== eventCount) throw new Error(`${lines} lines were exported`);
  yield { figure: `${where} events as NDJSON over HTTP`, value: rounded(eventCount / seconds, 0), unit: 'rows/s' };
  yield { figure: `growth of resident memory, ${where}`, value: rounded(memory.growthMiB, 0), unit: 'MB', atMost: 96 };
}

const archiveIn = (dataDir: string): string => join(dataDir, 'event-archive');

/** The work of this process's driver for each row would slow PostgreSQL down, so psql is used where there is one. */
const copyByPsql = async ({ database }: BenchedService, copy: string): Promise<number> => {
  const { host, port, user, password, database: name } = database;
  const env = { ...process.env, PGPASSWORD: String(password) };
  const args = ['-qX', '-h', host, '-p', String(port), '-U', String(user), '-d', String(name)];
  const started = performance.now();
  const psql = spawn('psql', [...args, '-c', 'SET statement_timeout = 0', '-c', copy], { env, stdio: 'ignore' });
  const code = await once(psql, 'exit').then(
    ([exit]) => exit as number,
    () => null,
  );
  if (code === 0) return (performance.now() - started) / 1000;
  if (code !== null) throw new Error(`psql ended with ${code}`);
  const again = performance.now();
  await copyOut(database, copy);
  return (performance.now() - again) / 1000;
};
