import { Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHeavyWork } from './heavy-work.js';
import { performance } from 'node:perf_hooks';

const activeMs = 10_000;
/** How many times longer than a step the pause after it is. */
const pauseShare = 3;
const longestPauseMs = 500;
/** A long question of the project ends within this time, or gives its processor back. */
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
  /** The end of the pauses that are planned for each project. */
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

  /** Pauses one after the other: two exports of a project together get no more than one. */
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
 * Paces long work that is done in steps, such as an export: at full speed alone; with pauses, and in alternation with the
 * other heavy work of the project, while other projects are active.
 */
export class Pace {
  private resumedAt = performance.now();
  private release = (): void => undefined;

  constructor(
    /** Pauses, and returns the function that ends the next step. */
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
        // A client that reads slowly holds up no other work.
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

/** Shares the time of workers among projects: the next piece of work is of the project whose last one was the longest ago. */
export class ProjectRotation {
  private readonly workedAt = new Map<number, number>();
  private readonly busy = new Set<string>();

  /** The leases of what this process works on. */
  get held(): readonly string[] {
    return [...this.busy];
  }

  /** Does the first piece of work that no process does. Returns whether there was one. */
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
