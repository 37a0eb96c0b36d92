/** The names to which limits apply, such as `{ project: 7 }`. The limit `all` always applies. */
type Names<Kind extends string> = Readonly<Partial<Record<Exclude<Kind, 'all'>, string | number>>>;

export interface PermitsOptions<Kind extends string> {
  /** The error of a caller that gets no permit, by the limit that is reached. */
  readonly refusal?: (full: Kind) => Error;
  /** How many callers may wait for one limit; further callers are refused. */
  readonly mostWaiting?: number;
  /** True for an error that waiting callers would get, too: they get this one instead of a permit. */
  readonly failsWaiting?: (error: unknown) => boolean;
}

interface Waiter {
  readonly retry: () => void;
  readonly refuse: (error: unknown) => void;
}

interface Limit<Kind> {
  readonly key: string;
  readonly kind: Kind;
  readonly most: number;
  readonly waiting: Waiter[];
  used: number;
}

/**
 * Limits how much work runs at the same time in this process: in all, and for each project, host or other name. Callers are
 * refused, or wait in order of arrival. Use `FairPool` if waiting callers must not delay other projects.
 */
export class Permits<Kind extends string> {
  private readonly inUse = new Map<string, Limit<Kind>>();

  constructor(
    /** The limit for each name of a kind. If several limits are reached, the refusal names the first. */
    private readonly most: Readonly<Record<Kind, number>>,
    private readonly options: PermitsOptions<Kind> = {},
  ) {}

  /** How many permits are in use under the limit `all`. */
  get count(): number {
    return this.inUse.get('all')?.used ?? 0;
  }

  /** Takes a permit, or throws the refusal. Returns the function that gives the permit back. */
  take(names: Names<Kind>, amount = 1): () => void {
    const full = this.fullOf(names, amount);
    if (full) throw this.refusalOf(full);
    return this.hold(names, amount);
  }

  /** Like `take`, but returns null if a limit is reached. */
  tryTake(names: Names<Kind>): (() => void) | null {
    return this.fullOf(names) ? null : this.hold(names);
  }

  /** Like `take`, but waits while a limit is reached. */
  async wait(names: Names<Kind>): Promise<() => void> {
    const full = this.fullOf(names);
    if (!full) return this.hold(names);
    if (full.waiting.length >= (this.options.mostWaiting ?? 0)) throw this.refusalOf(full);
    return new Promise((resolve, refuse) => {
      const retry = () => {
        const next = this.fullOf(names);
        if (next) next.waiting.push({ retry, refuse });
        else resolve(this.hold(names));
      };
      full.waiting.push({ retry, refuse });
    });
  }

  /** Does the work under a permit, and waits for it as `wait` does. */
  async during<T>(names: Names<Kind>, work: () => Promise<T>): Promise<T> {
    const release = await this.wait(names);
    try {
      return await work();
    } catch (error) {
      if (this.options.failsWaiting?.(error)) this.failWaiting(names, error);
      throw error;
    } finally {
      release();
    }
  }

  private limitsOf(names: Names<Kind>): Limit<Kind>[] {
    const named: Readonly<Record<string, string | number | undefined>> = { ...names, all: '' };
    const kinds = (Object.keys(this.most) as Kind[]).filter((kind) => named[kind] !== undefined);
    return kinds.map((kind) => {
      const key = kind === 'all' ? kind : `${kind} ${named[kind]}`;
      return this.inUse.get(key) ?? { key, kind, most: this.most[kind], waiting: [], used: 0 };
    });
  }

  private fullOf(names: Names<Kind>, amount = 1): Limit<Kind> | undefined {
    return this.limitsOf(names).find(({ used, most }) => used + amount > most);
  }

  private hold(names: Names<Kind>, amount = 1): () => void {
    const limits = this.limitsOf(names);
    for (const limit of limits) {
      limit.used += amount;
      this.inUse.set(limit.key, limit);
    }
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      for (const limit of limits) limit.used -= amount;
      for (const limit of limits) {
        while (limit.used < limit.most && limit.waiting.length > 0) limit.waiting.shift()?.retry();
        if (limit.used === 0) this.inUse.delete(limit.key);
      }
    };
  }

  private failWaiting(names: Names<Kind>, error: unknown): void {
    for (const { waiting } of this.limitsOf(names)) for (const { refuse } of waiting.splice(0)) refuse(error);
  }

  private refusalOf({ kind }: Limit<Kind>): Error {
    return this.options.refusal?.(kind) ?? new Error(`Too much goes on at once (${kind})`);
  }
}
