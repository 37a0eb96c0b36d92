import { readFile } from 'node:fs/promises';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { startServers, type Servers } from './servers.js';
import {
  bootstrapFile,
  launch,
  removeDir,
  tempDir,
  terminate,
  untilReady,
  type BootstrapFile,
  type RunningProcess,
} from '../support/process.js';

/** A turn of the service's event loop that took long; milliseconds, `at` since 1970. */
export interface Hold {
  readonly at: number;
  readonly wall_ms: number;
  /** What the main thread computed meanwhile: on a busy machine less than what passed. */
  readonly cpu_ms: number;
  readonly gc_ms: number;
  readonly major_gc_ms: number;
  /** Events that libuv handled in the turn. */
  readonly events: number;
}

export type Stores = 'embedded' | 'servers';

/** The built service in a process of its own with stores of its own, and what its main thread does. Linux only. */
export class MeasuredService {
  private linesRead = 0;

  private constructor(
    readonly process: RunningProcess,
    readonly bootstrap: BootstrapFile,
    private readonly dataDir: string,
    private readonly servers: Servers | null,
  ) {}

  static async start(holdsOverMs: number, stores: Stores = 'embedded'): Promise<MeasuredService> {
    const dataDir = await tempDir();
    const servers = stores === 'servers' ? await startServers(dataDir) : null;
    const service = await launch({
      ...servers?.env,
      DATA_DIR: join(dataDir, 'data'),
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '0',
      RATE_LIMIT_UNAUTHENTICATED_PER_MINUTE: '0',
      CAPTURE_EVENTS_PER_SECOND: '0',
      SIGN_IN_ATTEMPTS: '0',
      NODE_OPTIONS: `--import ${pathToFileURL(resolve('test/fuzz/hold-watch.mjs')).href}`,
      HOLD_LOG: join(dataDir, 'holds.jsonl'),
      HOLD_OVER_MS: String(holdsOverMs),
    });
    try {
      await untilReady(service);
      return new MeasuredService(service, await bootstrapFile(join(dataDir, 'data')), dataDir, servers);
    } catch (error) {
      service.child.kill('SIGKILL');
      await servers?.stop();
      throw error;
    }
  }

  get url(): string {
    return this.process.url;
  }

  get hasEnded(): boolean {
    return this.process.child.exitCode !== null || this.process.child.signalCode !== null;
  }

  /** Holds that were written since the last call. */
  async newHolds(): Promise<Hold[]> {
    const text = await readFile(join(this.dataDir, 'holds.jsonl'), 'utf8').catch(() => '');
    const lines = text.split('\n').slice(0, -1);
    const fresh = lines.slice(this.linesRead);
    this.linesRead = lines.length;
    return fresh.map((line) => JSON.parse(line) as Hold);
  }

  residentMiB(): number {
    try {
      const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    } catch {
      return 0;
    }
  }

  /** Milliseconds that the main thread has computed since the start. */
  mainThreadMs(): number {
    const { pid } = this.process;
    return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  }

  collectGarbage(): void {
    if (!this.hasEnded) this.process.child.kill('SIGUSR2');
  }

  async stop(): Promise<void> {
    if (!this.hasEnded) {
      const patience = setTimeout(() => this.process.child.kill('SIGKILL'), 20_000);
      await terminate(this.process);
      clearTimeout(patience);
    }
    await this.servers?.stop();
    await removeDir(this.dataDir);
  }
}
