import { performance } from 'node:perf_hooks';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { SilenceWatch } from './silence-watch.js';
import { isOfServerLeft } from './writable-server.js';

type Release = (error?: Error | boolean) => void;
type Connected = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;

const timeout = /timeout exceeded when trying to connect|due to connection timeout/;
const patienceMs = 10_000;
/** The patience until the first answer, which takes longer if server and service start together on a busy machine. */
const startPatienceMs = 60_000;

/**
 * Tries again to connect to a server that is busy, but not to one that is down. Both let a connection time out, but a busy server
 * has meanwhile answered another caller in this process. Until its first answer, while the service starts, a server counts as
 * busy.
 */
export class PatientPool extends Pool {
  private heardAt = Infinity;
  /** The number of servers of the database. */
  private readonly servers: number;
  private readonly watch: SilenceWatch;

  constructor(config: PoolConfig & { readonly servers?: number } = {}) {
    super(config);
    this.servers = config.servers ?? 1;
    this.watch = new SilenceWatch(this, config);
    const heard = () => (this.heardAt = performance.now());
    this.on('connect', heard);
    this.on('release', (error: Error | undefined) => {
      if (!error) heard();
    });
  }

  /** Call it once callers wait for answers: from then on, a silent server is noticed within the 2 s that they are promised. */
  expectCallers(): void {
    this.watch.expectCallers();
  }

  override end(): Promise<void>;
  override end(done: (error?: unknown) => void): void;
  override end(done?: (error?: unknown) => void): Promise<void> | undefined {
    const ended = Promise.all([super.end(), this.watch.stop()]).then(() => undefined);
    if (!done) return ended;
    ended.then(() => done(), done);
    return undefined;
  }

  override connect(): Promise<PoolClient>;
  override connect(done: Connected): void;
  override connect(done?: Connected): Promise<PoolClient> | undefined {
    if (done) {
      this.attempt(performance.now(), done);
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.attempt(performance.now(), (error, client) => {
        if (client) resolve(client);
        else reject(error ?? new Error('no connection'));
      });
    });
  }

  private attempt(firstAt: number, done: Connected, others = this.servers - 1): void {
    const beganAt = performance.now();
    super.connect((error, client, release) => {
      const isBusy = error && timeout.test(error.message) && this.heardAt >= beganAt;
      const patience = this.heardAt === Infinity ? startPatienceMs : patienceMs;
      // Another server of the database may take writes: each is tried once.
      const isElsewhere = error && isOfServerLeft(error) && others > 0;
      if (isElsewhere && !this.ending) this.attempt(firstAt, done, others - 1);
      else if (isBusy && performance.now() - firstAt < patience && !this.ending) this.attempt(firstAt, done);
      else done(error, client, release);
    });
  }
}
