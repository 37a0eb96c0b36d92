import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { engineOf, processesIn } from '../test/support/process.js';
import { statementsAtRest } from '../test/support/statements-at-rest.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { ProcessorTime } from './support/processor-time.js';
import { withService, type BenchedService } from './support/service.js';

const seconds = Number(process.argv[3] ?? 600);
/** What a start leaves to do is done by then. */
const afterStartMs = 20_000;

/** What a service without requests takes of the machine: `npm run bench -- idle 60` for a minute in place of ten. */
export const idle: Bench = {
  name: 'idle',
  run: () => withService(measure),
};

async function* measure(service: BenchedService): AsyncGenerator<Figure> {
  await service.database.query('SELECT 1');
  await sleep(afterStartMs);
  const engine = engineOf(service);
  const servers = (await processesIn(service.dataDir)).filter((pid) => pid !== engine && pid !== service.pid);
  const all = { service: [service.pid], ClickHouse: [engine], PostgreSQL: servers };
  const rest = sleep(seconds * 1000);
  const counting = statementsAtRest(service.dataDir, rest);
  const spent = Object.entries(all).map(async ([name, pids]) => ({
    name,
    shares: await Promise.all(pids.map((pid) => shareDuring(pid, rest))),
    bytes: await writtenBy(pids, rest),
  }));
  const [{ postgres, clickhouse, walBytes }, ...parts] = await Promise.all([counting, ...spent]);
  let total = 0;
  for (const { name, shares } of parts) {
    const share = shares.reduce((sum, each) => sum + each, 0);
    total += share;
    yield { figure: `processor, ${name}`, value: rounded(share), unit: '%' };
  }
  yield { figure: 'processor, all', value: rounded(total), unit: '%', atMost: 0.5 };
  const perMinute = (number: number) => rounded((number / seconds) * 60, 1);
  const times = [...postgres.values()];
  const sum = times.reduce((before, each) => before + each, 0);
  yield { figure: 'statements to PostgreSQL', value: perMinute(sum), unit: 'a minute' };
  yield { figure: 'most frequent statement', value: perMinute(Math.max(...times)), unit: 'a minute', atMost: 12 };
  yield { figure: 'statements to ClickHouse', value: perMinute(clickhouse), unit: 'a minute', atMost: 12 };
  yield { figure: 'write-ahead log', value: rounded(walBytes / 1024, 0), unit: 'kB' };
  for (const { name, bytes } of parts)
    yield { figure: `written, ${name}`, value: rounded(bytes / 1024, 0), unit: 'kB' };
}

const shareDuring = async (pid: number, rest: Promise<unknown>): Promise<number> => {
  const time = ProcessorTime.of(pid);
  // A connection of PostgreSQL may end meanwhile.
  await time.during(() => rest).catch(() => undefined);
  return time.microseconds / seconds / 10_000;
};

const writtenBy = async (pids: readonly number[], rest: Promise<unknown>): Promise<number> => {
  const before = await Promise.all(pids.map(writtenUpToNow));
  await rest;
  const after = await Promise.all(pids.map(writtenUpToNow));
  return after.reduce((sum, bytes, at) => sum + Math.max(0, bytes - (before[at] ?? 0)), 0);
};

const writtenUpToNow = async (pid: number): Promise<number> => {
  const counters = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '');
  return Number(/^write_bytes: (\d+)/m.exec(counters)?.[1] ?? 0);
};
