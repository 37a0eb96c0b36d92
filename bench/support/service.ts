import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  bootstrapFile,
  launch,
  removeDir,
  tempDir,
  terminate,
  untilReady,
  type BootstrapFile,
  type Env,
} from '../../test/support/process.js';

export interface BenchedService extends BootstrapFile {
  readonly url: URL;
  readonly dataDir: string;
  /** Of the process that answers. */
  readonly pid: number;
  /** The service's own PostgreSQL. */
  readonly database: pg.Client;
}

/** A service with empty stores, started for the bench and gone after it. */
export async function* withService<T>(
  work: (service: BenchedService) => AsyncIterable<T>,
  { env = {}, starter = [] }: { readonly env?: Env; readonly starter?: readonly string[] } = {},
): AsyncGenerator<T, void, undefined> {
  const dataDir = await tempDir();
  const defaults = {
    DATA_DIR: dataDir,
    EVENT_ARCHIVE: join(dataDir, 'event-archive'),
    LOG_LEVEL: 'warn',
    MALLOC_ARENA_MAX: '2',
  };
  const service = await launch({ ...defaults, ...env }, [], starter);
  try {
    await untilReady(service);
    const database = new pg.Client({ connectionString: await databaseUrl(dataDir) });
    await database.connect();
    try {
      yield* work({
        ...(await bootstrapFile(dataDir)),
        url: new URL(service.url),
        pid: service.pid,
        dataDir,
        database,
      });
    } finally {
      await database.end();
    }
  } finally {
    await terminate(service);
    await removeDir(dataDir);
  }
}

export const databaseUrl = async (dataDir: string): Promise<string> => {
  const file = await readFile(join(dataDir, 'postgres.json'), 'utf8');
  const { host, port, password } = JSON.parse(file) as { host: string; port: number; password: string };
  return `postgres://kohort:${password}@${host}:${port}/kohort`;
};

/** Until the projection has caught up, so that its work does not fall into the next measurement. */
export const untilIdle = async ({ database }: BenchedService): Promise<void> => {
  for (;;) {
    const { rows } = await database.query<{ waiting: boolean }>('SELECT EXISTS (SELECT FROM outbox) AS waiting');
    if (!rows[0]?.waiting) return;
    await sleep(50);
  }
};
