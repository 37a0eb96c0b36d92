import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { MovedMembers } from '../src/cohorts/static/moved-members.js';
import { seedEvents } from '../src/events/seed/seed-events.js';
import { writeSeed } from '../src/events/seed/write-seed.js';
import { Postgres } from '../src/stores/postgres/postgres.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { copyOut } from './support/copy.js';
import { ResidentMemory } from './support/resident-memory.js';
import { untilIdle, withService, type BenchedService } from './support/service.js';

const eventCount = Number(process.env.BENCH_EVENTS ?? 5_000_000);
const eventsPerPerson = 30;
const rounds = 2;

/** All events as NDJSON over HTTP, beside COPY of the same rows; the other formats; and the import of what was exported. */
export const exported: Bench = {
  name: 'export',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await seed(service);
  const copy = `COPY (SELECT uuid, event, distinct_id, timestamp, properties FROM events
    WHERE project_id = ${service.project_id}) TO STDOUT`;
  await download(service, 'events?limit=20000');
  const memory = await ResidentMemory.of(service.pid);
  const seconds = { exported: 0, copied: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const events = await memory.watch(() => download(service, 'events'));
    seconds.copied += await copyByPsql(service, copy);
    seconds.exported += events.seconds;
    if (events.lines !== eventCount) throw new Error(`${events.lines} lines were exported`);
  }
  const rows = rounds * eventCount;
  yield { figure: 'events as NDJSON over HTTP', value: rounded(rows / seconds.exported, 0), unit: 'rows/s' };
  yield { figure: 'COPY of the same rows', value: rounded(rows / seconds.copied, 0), unit: 'rows/s' };
  yield { figure: 'NDJSON ÷ COPY', value: rounded(seconds.copied / seconds.exported), unit: 'ratio', atLeast: 0.5 };
  yield { figure: 'growth of resident memory', value: rounded(memory.growthMiB, 0), unit: 'MB', atMost: 96 };
  const csv = await download(service, 'events?format=csv');
  yield { figure: 'events as CSV over HTTP', value: rounded(eventCount / csv.seconds, 0), unit: 'rows/s' };
  const parquet = await download(service, 'events?format=parquet');
  yield { figure: 'a Parquet file of up to 100,000 events', value: rounded(parquet.seconds), unit: 's' };

  const folder = await mkdtemp(join(tmpdir(), 'kohort-bench-'));
  try {
    const lines = { persons: 0, events: 0 };
    for (const kind of ['persons', 'events'] as const) {
      lines[kind] = (await download(service, kind, join(folder, kind))).lines;
    }
    const copyOf = await newProject(service);
    let imported = 0;
    for (const kind of ['persons', 'events'] as const) imported += await load(service, copyOf, join(folder, kind));
    const speed = (lines.persons + lines.events) / imported;
    yield { figure: 'import of the export', value: rounded(speed, 0), unit: 'rows/s', atLeast: 20_000 };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const seed = async (service: BenchedService): Promise<void> => {
  const { host, port, user, password, database } = service.database;
  const pool = new pg.Pool({ host, port, user, password: password as string, database: database as string, max: 4 });
  const now = new Date();
  const plan = { events: eventCount, persons: Math.ceil(eventCount / eventsPerPerson), days: 90, now };
  const traffic = { events: seedEvents(plan), now };
  await writeSeed(new Postgres(pool), service.project_id, traffic, new MovedMembers());
  await pool.end();
  await untilIdle(service);
  await service.database.query('SET statement_timeout = 0');
  await service.database.query('VACUUM ANALYZE events');
};

/** What the driver of this process needs for each row would slow PostgreSQL down, so psql is used where there is one. */
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

const headersOf = ({ personal_api_key }: BenchedService) => ({
  Authorization: `Bearer ${personal_api_key}`,
  'Accept-Encoding': 'identity',
});

interface Download {
  readonly lines: number;
  readonly seconds: number;
}

const download = async (service: BenchedService, path: string, file = '/dev/null'): Promise<Download> => {
  const url = new URL(`/api/projects/${service.project_id}/export/${path}`, service.url);
  const started = performance.now();
  const answer = await fetch(url, { headers: headersOf(service) });
  if (answer.status !== 200 || !answer.body) throw new Error(`The service answered ${answer.status}`);
  let lines = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      yield chunk;
    }
  };
  await pipeline(Readable.from(counted()), createWriteStream(file));
  return { lines, seconds: (performance.now() - started) / 1000 };
};

const newProject = async (service: BenchedService): Promise<number> => {
  const answer = await fetch(new URL('/api/projects/', service.url), {
    method: 'POST',
    headers: { ...headersOf(service), 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Copy' }),
  });
  return ((await answer.json()) as { id: number }).id;
};

/** Returns the seconds until every line is committed. */
const load = async (service: BenchedService, projectId: number, file: string): Promise<number> => {
  const started = performance.now();
  const sent = request(new URL(`/api/projects/${projectId}/import`, service.url), {
    method: 'POST',
    headers: { ...headersOf(service), 'Content-Type': 'application/x-ndjson' },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  await pipeline(createReadStream(file), sent);
  const [answer] = await answered;
  const { rejected_count: rejected } = (await json(answer)) as { rejected_count: number };
  if (answer.statusCode !== 200 || rejected > 0)
    throw new Error(`${answer.statusCode}, ${rejected} lines were rejected`);
  return (performance.now() - started) / 1000;
};
