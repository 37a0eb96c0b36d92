import { join } from 'node:path';
import { Pool } from 'pg';
import { runningEmbeddedPostgres } from '../../src/platform/postgres/embedded/server.js';
import { launch, removeDir, start, tempDir, terminate, untilReady, type RunningProcess } from './process.js';

/** A service of its own, in a process that a test kills and starts again in the same folder. */
export class KilledService {
  private constructor(
    readonly dataDir: string,
    private service: RunningProcess,
  ) {}

  static async start(): Promise<KilledService> {
    const dataDir = await tempDir();
    return new KilledService(dataDir, await start(envIn(dataDir)));
  }

  get url(): string {
    return this.service.url;
  }

  /** For commands beside the service. */
  get env(): Readonly<Record<string, string>> {
    return envIn(this.dataDir);
  }

  async kill(): Promise<void> {
    this.service.child.kill('SIGKILL');
    await this.service.exited;
    this.service = await launch(this.env);
    await untilReady(this.service);
  }

  terminate(): ReturnType<typeof terminate> {
    return terminate(this.service);
  }

  async remove(): Promise<void> {
    const { exitCode, signalCode } = this.service.child;
    if (exitCode === null && signalCode === null) await this.terminate();
    await removeDir(this.dataDir);
  }

  /** PostgreSQL may be on its way down or up. */
  async withPool<T>(work: (pool: Pool) => Promise<T>): Promise<T> {
    const url = await runningEmbeddedPostgres(this.dataDir);
    const pool = new Pool({ connectionString: url?.href, max: 2 });
    pool.on('error', () => undefined);
    try {
      return await work(pool);
    } finally {
      await pool.end();
    }
  }
}

const envIn = (dataDir: string) => ({
  DATA_DIR: dataDir,
  EVENT_ARCHIVE: join(dataDir, 'event-archive'),
  LOG_LEVEL: 'warn',
});
