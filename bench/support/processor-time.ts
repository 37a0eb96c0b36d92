import { readFileSync } from 'node:fs';
import { engineOf, processesIn } from '../../test/support/process.js';
import { type BenchedService } from './service.js';

/** Linux counts processor time in hundredths of a second. */
const tickMicroseconds = 10_000;

/** The processor time that a process has spent in some work, with all of its threads. Other load of the machine does not count. */
export class ProcessorTime {
  microseconds = 0;

  private constructor(private readonly pid: number) {}

  static of(pid: number): ProcessorTime {
    return new ProcessorTime(pid);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const before = ticks(this.pid).own;
    const result = await work();
    this.microseconds += (ticks(this.pid).own - before) * tickMicroseconds;
    return result;
  }
}

export const programs = ['service', 'ClickHouse', 'PostgreSQL'] as const;
export type Program = (typeof programs)[number];
export type Spent = Readonly<Record<Program, number>>;

/** The processor time in milliseconds that each program of the service has spent in some work. */
export const spentDuring = async (service: BenchedService, work: () => Promise<unknown>): Promise<Spent> => {
  const before = await spentBy(service);
  await work();
  const after = await spentBy(service);
  return {
    service: after.service - before.service,
    ClickHouse: after.ClickHouse - before.ClickHouse,
    PostgreSQL: after.PostgreSQL - before.PostgreSQL,
  };
};

export const sumOf = (spent: Spent): number => spent.service + spent.ClickHouse + spent.PostgreSQL;

const spentBy = async (service: BenchedService): Promise<Spent> => {
  const engine = engineOf(service);
  const servers = (await processesIn(service.dataDir)).filter((pid) => pid !== engine && pid !== service.pid);
  // The time of a connection that has ended is that of the server's first process, which waited for it.
  const ofServers = servers.map(ticksIfRunning).reduce((sum, { own, reaped }) => sum + own + reaped, 0);
  const milliseconds = (count: number): number => (count * tickMicroseconds) / 1000;
  return {
    service: milliseconds(ticks(service.pid).own),
    ClickHouse: milliseconds(ticks(engine).own),
    PostgreSQL: milliseconds(ofServers),
  };
};

interface Ticks {
  readonly own: number;
  /** Of children that have ended. */
  readonly reaped: number;
}

/** The name of the program, which is in front of the numbers, may contain spaces. */
const ticks = (pid: number): Ticks => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const sum = (at: number): number => (fields[at] ?? 0) + (fields[at + 1] ?? 0);
  return { own: sum(11), reaped: sum(13) };
};

const ticksIfRunning = (pid: number): Ticks => {
  try {
    return ticks(pid);
  } catch {
    return { own: 0, reaped: 0 };
  }
};
