import { Inject, Injectable, type BeforeApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { LOGGER, type Logger } from '../telemetry/logger.js';
import { Worker, type RepeatedWork } from './worker.js';

export interface RegisteredWork extends RepeatedWork {
  /** True for work that also runs in processes with ROLE=api, because it is about what the process has in memory. */
  readonly isEverywhere?: boolean;
}

interface PeriodicWork extends Omit<RegisteredWork, 'round' | 'signal'> {
  readonly run: () => Promise<unknown>;
}

/** The time between the looks of two workers that wait for the same commit. */
const betweenMs = 15;

/** All background work of this process. Services add theirs when they are made. */
@Injectable()
export class Workers implements BeforeApplicationShutdown {
  private readonly all: { readonly worker: Worker; readonly isEverywhere: boolean }[] = [];

  constructor(
    private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  add({ isEverywhere = false, ...work }: RegisteredWork): Worker {
    const worker = new Worker(work, this.logger);
    this.all.push({ worker, isEverywhere });
    return worker;
  }

  /** Adds work with a period. A pause comes before the first run, and a failed run is usually tried again after the period. */
  every(ms: number, { run, ...work }: PeriodicWork): Worker {
    return this.add({ firstMs: ms, retryMs: [ms, ms], ...work, round: () => run().then(() => ms) });
  }

  /** Starts the work of a service, according to ROLE. */
  start(): void {
    const { databaseUrl, worksInBackground } = this.config;
    // The embedded PostgreSQL belongs to this process. Only commands also write to it.
    const seesAllCommits = databaseUrl === null;
    for (const [at, { worker, isEverywhere }] of this.all.entries())
      if (isEverywhere || worksInBackground) worker.start({ seesAllCommits, afterOthersMs: at * betweenMs });
  }

  /** Starts only the named work, for a command. */
  startOnly(names: readonly string[]): void {
    for (const { worker } of this.all) if (names.includes(worker.name)) worker.start();
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map(({ worker }) => worker.stop()));
  }

  /** Runs after `onModuleDestroy`, in which providers may still commit what they have pending. */
  beforeApplicationShutdown(): Promise<void> {
    return this.stop();
  }
}
