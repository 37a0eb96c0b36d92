import { performance } from 'node:perf_hooks';

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
