import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHeavyWork } from './heavy-work.js';
import { performance } from 'node:perf_hooks';

const activeMs = 10_000;
/** The pause after a step is this many times as long as the step. */
const pauseShare = 3;
const longestPauseMs = 500;
/** The limits of a step: it waits for other heavy work of the project at most `waitMs`, and counts as such at most `holdMs`. */
const heavyLimits = { waitMs: 3_000, holdMs: 1_000 };

interface Seen {
  readonly project: number;
  readonly at: number;
}

/** Tracks whether several projects have sent requests lately, so that the long work of one leaves room for the others. */
@Injectable()
export class ActiveProjects {
  private latest: Seen | null = null;
  /** The latest request of another project than that of `latest`. */
  private latestOther: Seen | null = null;
  /** For each project, a promise for the end of its planned pauses. */
  private readonly pauses = new Map<number, Promise<void>>();

  saw(project: number): void {
    if (this.latest?.project !== project) this.latestOther = this.latest;
    this.latest = { project, at: performance.now() };
  }

  pace(project: number): Pace {
    const isAlone = () => !this.hasOthers(project);
    return new Pace(async (workedMs) => {
      if (isAlone()) return () => undefined;
      await this.pause(project, workedMs);
      return startHeavyWork(project, heavyLimits);
    }, isAlone);
  }

  /** Pauses of one project follow each other, so that two of its exports together get no more time than one. */
  private async pause(project: number, workedMs: number): Promise<void> {
    const before = this.pauses.get(project) ?? Promise.resolve();
    const pause = before.then(() => sleep(Math.min(workedMs * pauseShare, longestPauseMs)));
    this.pauses.set(project, pause);
    await pause;
    if (this.pauses.get(project) === pause) this.pauses.delete(project);
  }

  private hasOthers(project: number): boolean {
    const other = this.latest?.project === project ? this.latestOther : this.latest;
    return other !== null && performance.now() - other.at < activeMs;
  }
}

/**
 * Paces long work that is done in steps, such as an export. It runs at full speed while its project is alone. While other
 * projects are active, it pauses between steps, and alternates with other heavy work of its project.
 */
export class Pace {
  private resumedAt = performance.now();
  private release = (): void => undefined;

  constructor(
    /** Pauses, and returns the function that must be called at the end of the next step. */
    private readonly rest: (workedMs: number) => Promise<() => void>,
    /** True while no other project is active, so that steps may be long. */
    readonly isAlone: () => boolean,
  ) {}

  /** Must be called between two steps. */
  async step(): Promise<void> {
    this.release();
    this.release = await this.rest(performance.now() - this.resumedAt);
    this.resumedAt = performance.now();
  }

  async *each<T>(steps: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      for await (const step of steps) {
        // The step ends before the client reads, so that a slow client does not delay other work.
        this.release();
        yield step;
        await this.step();
      }
    } finally {
      this.release();
    }
  }
}

interface Leased {
  readonly name: string;
  during(work: () => Promise<void>): Promise<boolean>;
}

/** Shares the time of workers among projects: the project whose last piece of work was longest ago comes first. */
export class ProjectRotation {
  private readonly workedAt = new Map<number, number>();
  private readonly busy = new Set<string>();

  /** The names of the leases of the work that this process does now. */
  get held(): readonly string[] {
    return [...this.busy];
  }

  /** Does the first piece of work that no other process does. Returns true if there was one. */
  async workOnOne<T extends { readonly projectId: number }, L extends Leased>(
    waiting: readonly T[],
    leaseOf: (piece: T) => L,
    work: (piece: T, lease: L) => Promise<void>,
  ): Promise<boolean> {
    const lastOf = ({ projectId }: T) => this.workedAt.get(projectId) ?? -Infinity;
    for (const piece of waiting.toSorted((a, b) => lastOf(a) - lastOf(b))) {
      const lease = leaseOf(piece);
      if (this.busy.has(lease.name)) continue;
      this.busy.add(lease.name);
      const done = lease.during(() => {
        this.workedAt.set(piece.projectId, performance.now());
        return work(piece, lease);
      });
      if (await done.finally(() => this.busy.delete(lease.name))) return true;
    }
    return false;
  }
}
