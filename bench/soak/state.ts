import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BenchedService } from '../support/service.js';
import { residentMiB } from '../support/resident-memory.js';

/** Figures that must not grow in a service whose traffic stays the same. */
export interface State {
  readonly residentMiB: number;
  readonly openFiles: number;
  readonly connections: number;
  readonly parts: number;
  /** Rows of PostgreSQL that no transaction can see and that are not yet removed, for each one that can be seen. */
  readonly deadRows: number;
  readonly bytesPerEvent: number;
}

const one = async (service: BenchedService, text: string): Promise<number> => {
  const { rows } = await service.database.query<{ value: string }>(text);
  return Number(rows[0]?.value);
};

export const stateOf = async (service: BenchedService, events: number): Promise<State> => ({
  residentMiB: await residentMiB(service.pid),
  openFiles: (await readdir(`/proc/${service.pid}/fd`)).length,
  connections: await one(service, 'SELECT count(*) AS value FROM pg_stat_activity WHERE datname = current_database()'),
  parts: await partsIn(join(service.dataDir, 'clickhouse')),
  deadRows: await one(
    service,
    'SELECT sum(n_dead_tup) / nullif(sum(n_live_tup), 0)::float AS value FROM pg_stat_user_tables',
  ),
  bytesPerEvent: (await one(service, 'SELECT pg_database_size(current_database()) AS value')) / events,
});

/** The parts of all tables of the embedded engine, with those that are no longer needed but not yet removed. */
const partsIn = async (folder: string): Promise<number> => {
  const names = await namesBelow(join(folder, 'store'));
  return names.filter((name) => /^[0-9a-f]{3}\/[0-9a-f-]{36}\/\w+_\d+_\d+_\d+(?:_\d+)?$/.test(name)).length;
};

/** Begins again when something is removed while it is read. */
const namesBelow = async (folder: string): Promise<string[]> => {
  for (let tries = 1; ; tries += 1) {
    try {
      return await readdir(folder, { recursive: true });
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
};

/** The share of the processors that was busy since the last call. */
export class Usage {
  private last = { busy: 0, all: 0 };

  async read(): Promise<number> {
    const [, user = 0, nice = 0, system = 0, idle = 0, waiting = 0] = (await readFile('/proc/stat', 'utf8'))
      .split(/ +/, 6)
      .map(Number);
    const busy = user + nice + system;
    const all = busy + idle + waiting;
    const usage = (busy - this.last.busy) / (all - this.last.all);
    this.last = { busy, all };
    return usage;
  }
}
