/** The owner of a lease: a project, or the service itself for background work. */
export type Owner = number | 'system';

export interface LeaseRequest {
  readonly owner: Owner;
  /** A short lease may take every resource; other leases may not take the reserved ones. */
  readonly short?: boolean;
  /**
   * True for work that was stopped in favour of another owner. It counts as heavy, and goes before other requests of its owner,
   * even if the queue of the owner is full.
   */
  readonly isAgain?: boolean;
  readonly waitMs: number;
  readonly signal?: AbortSignal;
}

export interface PoolLease<R> {
  readonly resource: R;
  /** True if another project has a lease now, or had one a moment ago. */
  readonly isCrowded: boolean;
  /** True if recent leases of the owner were long or took most of the time, or if this work was stopped and starts again. */
  readonly isHeavy: boolean;
  /** Aborted when another project becomes active during a lease that started alone. */
  readonly crowding: AbortSignal;
  readonly release: () => void;
}

/** How many resources one owner may hold at a time. */
export interface Share {
  readonly alone: number;
  /** The limit while other projects are active, too. */
  readonly crowded: number;
}

export interface PoolUse {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface FairPoolOptions {
  /** The number of resources that only short leases may take. */
  readonly reservedForShort?: number;
  /** The share of an owner. It applies to short leases and to other leases separately. */
  readonly share?: Share;
  /** Heavy owners start leases only up to this number, in all, while a light owner is active. Short leases are not counted. */
  readonly heavyAtATime?: number;
  /** Resources for light leases, used only in place of leases beyond `heavyAtATime` that became heavy while they ran. */
  readonly spare?: number;
  /** How many requests of one owner may wait. */
  readonly maxWaiting?: number;
  readonly busy: () => Error;
  readonly closed: () => Error;
}

interface Waiter<R> {
  readonly short: boolean;
  readonly isAgain: boolean;
  readonly accept: (lease: PoolLease<R>) => void;
  readonly refuse: (error: Error) => void;
}

/** Leases up to this length count as light, so that it makes no difference if there is a pause between two of them. */
const lightMs = 500;
const heavyAfterMs = 1_000;
/** Half of an owner's recorded use expires in this time. */
const halfLifeMs = 10_000;
/** The recorded use of an owner who had a lease for half of the time. */
const oftenAfterMs = (0.5 * halfLifeMs) / Math.LN2;
const activeMs = 10_000;
/** The pool looks this often if waiting requests may start, because no event tells when a lease has become heavy. */
const lookAgainMs = 250;

class OwnerState<R> {
  readonly waiting: Waiter<R>[] = [];
  readonly inUse = { short: 0, long: 0 };
  /** The start of each lease that the owner holds now. */
  readonly leasesSince = new Set<{ readonly since: number }>();
  activeAt = performance.now();
  private usedAt = this.activeAt;
  private usedMs = 0;
  /** The part of `usedMs` that was beyond `lightMs` in each lease. */
  private usedLongMs = 0;

  get isIdle(): boolean {
    return this.waiting.length === 0 && this.inUse.short + this.inUse.long === 0;
  }

  get isActive(): boolean {
    return !this.isIdle || performance.now() - this.activeAt < activeMs;
  }

  get isHeavy(): boolean {
    const now = performance.now();
    const remainder = this.remainder(now);
    let usedMs = this.usedMs * remainder;
    let usedLongMs = this.usedLongMs * remainder;
    for (const { since } of this.leasesSince) {
      usedMs += now - since;
      usedLongMs += Math.max(0, now - since - lightMs);
    }
    return usedLongMs > heavyAfterMs || usedMs > oftenAfterMs;
  }

  /** True if the record can be removed, because it no longer makes a difference. */
  get isForgotten(): boolean {
    return !this.isActive && !this.isHeavy;
  }

  use(ms: number): void {
    const now = performance.now();
    const remainder = this.remainder(now);
    this.usedMs = this.usedMs * remainder + ms;
    this.usedLongMs = this.usedLongMs * remainder + Math.max(0, ms - lightMs);
    this.usedAt = now;
  }

  private remainder(now: number): number {
    return 0.5 ** ((now - this.usedAt) / halfLifeMs);
  }
}

/**
 * Resources, each held by one lease at a time. Waiting owners alternate, no matter how many leases each of them requests, and no
 * owner holds more than its share. The queue of an owner is bounded in length and in time.
 */
export class FairPool<R> {
  private readonly free: R[];
  /** The owners in the order in which they get their next leases. */
  private readonly owners = new Map<Owner, OwnerState<R>>();
  private readonly maxLong: number;
  private readonly share: Share;
  private readonly heavyAtATime: number;
  private readonly maxWaiting: number;
  private long = 0;
  /** The owners of the leases that started while no other project was active. */
  private readonly uncrowded = new Map<AbortController, Owner>();
  private isClosed = false;
  private looking: NodeJS.Timeout | undefined;

  constructor(
    private readonly resources: readonly R[],
    private readonly options: FairPoolOptions,
  ) {
    this.free = [...resources];
    this.maxLong = resources.length - (options.reservedForShort ?? 0) - (options.spare ?? 0);
    this.share = options.share ?? { alone: resources.length, crowded: resources.length };
    this.heavyAtATime = options.heavyAtATime ?? Infinity;
    this.maxWaiting = options.maxWaiting ?? 64;
  }

  /** A pool of slots, which have no contents. */
  static ofSlots(size: number, options: FairPoolOptions): FairPool<null> {
    return new FairPool(new Array<null>(size).fill(null), options);
  }

  /** Does the work with a resource. */
  async during<T>(lease: LeaseRequest, work: (resource: R) => Promise<T>): Promise<T> {
    const { resource, release } = await this.acquire(lease);
    try {
      return await work(resource);
    } finally {
      release();
    }
  }

  acquire({ owner, short = false, isAgain = false, waitMs, signal }: LeaseRequest): Promise<PoolLease<R>> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason as Error);
      if (this.isClosed) return reject(this.options.closed());
      const state = this.stateOf(owner);
      this.crowd(owner);
      const timer = setTimeout(() => waiter.refuse(this.options.busy()), waitMs);
      const leave = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        const at = state.waiting.indexOf(waiter);
        if (at >= 0) state.waiting.splice(at, 1);
      };
      const waiter: Waiter<R> = {
        short,
        isAgain,
        accept: (lease) => (leave(), resolve(lease)),
        refuse: (error) => (leave(), reject(error)),
      };
      const onAbort = () => waiter.refuse(signal?.reason as Error);
      signal?.addEventListener('abort', onAbort, { once: true });
      if (isAgain) state.waiting.unshift(waiter);
      else state.waiting.push(waiter);
      this.serve();
      const isTooMany = !isAgain && state.waiting.length > this.maxWaiting && state.waiting.includes(waiter);
      if (isTooMany) waiter.refuse(this.options.busy());
      if (this.options.spare && state.waiting.length > 0)
        this.looking ??= setInterval(() => this.lookAgain(), lookAgainMs);
    });
  }

  get use(): PoolUse {
    let waiting = 0;
    for (const owner of this.owners.values()) waiting += owner.waiting.length;
    return { used: this.resources.length - this.free.length, idle: this.free.length, waiting };
  }

  /** Rejects all waiting requests; current leases stay valid. */
  close(): void {
    this.isClosed = true;
    this.refuseWaiting(this.options.closed);
  }

  /** Rejects all waiting requests, because the resources are of no use at the moment; later requests wait again. */
  refuseWaiting(reason: () => Error): void {
    for (const { waiting } of this.owners.values()) {
      for (const waiter of [...waiting]) waiter.refuse(reason());
    }
  }

  private stateOf(owner: Owner): OwnerState<R> {
    for (const [known, state] of this.owners) if (state.isForgotten) this.owners.delete(known);
    const state = this.owners.get(owner) ?? new OwnerState<R>();
    state.activeAt = performance.now();
    if (!this.owners.has(owner)) this.owners.set(owner, state);
    return state;
  }

  private lookAgain(): void {
    this.serve();
    for (const { waiting } of this.owners.values()) if (waiting.length > 0) return;
    clearInterval(this.looking);
    this.looking = undefined;
  }

  private serve(): void {
    while (this.free.length > 0 && this.serveOne());
  }

  private serveOne(): boolean {
    for (const [owner, state] of this.owners) {
      if (state.waiting.length === 0) continue;
      const isCrowded = this.hasOthers(owner);
      const most = isCrowded ? this.share.crowded : this.share.alone;
      const { isHeavy } = state;
      const mayStart = state.inUse.long < most && this.mayStart(owner, isHeavy);
      const mayStartAgain = isHeavy ? mayStart : state.inUse.long < most && this.mayStart(owner, true);
      const next = state.waiting.find(({ short, isAgain }) => {
        if (short) return state.inUse.short < most;
        return isAgain ? mayStartAgain : mayStart;
      });
      if (!next) continue;
      this.owners.delete(owner);
      this.owners.set(owner, state);
      next.accept(this.lease(owner, state, { ...next, isHeavy: isHeavy || next.isAgain, isCrowded }));
      return true;
    }
    return false;
  }

  private mayStart(owner: Owner, isHeavy: boolean): boolean {
    const { heavyInUse, heavyAtATime } = this;
    const isHeldBack = isHeavy && owner !== 'system' && this.hasLightOthers(owner);
    if (isHeldBack && heavyInUse >= heavyAtATime) return false;
    const { spare = 0 } = this.options;
    const isMadeUpFor = isHeavy ? 0 : Math.min(spare, Math.max(0, heavyInUse - heavyAtATime));
    return this.long - isMadeUpFor < this.maxLong;
  }

  private hasLightOthers(owner: Owner): boolean {
    for (const [other, state] of this.owners)
      if (other !== owner && other !== 'system' && state.isActive && !state.isHeavy) return true;
    return false;
  }

  private get heavyInUse(): number {
    let leases = 0;
    for (const [owner, state] of this.owners) if (owner !== 'system' && state.isHeavy) leases += state.inUse.long;
    return leases;
  }

  /** Signals crowding to leases of other owners. The service's own work is no reason to take anything from a project. */
  private crowd(newcomer: Owner): void {
    if (newcomer === 'system') return;
    for (const [crowding, owner] of this.uncrowded) {
      if (owner === newcomer) continue;
      this.uncrowded.delete(crowding);
      crowding.abort('crowded');
    }
  }

  /** True if other projects are active. The service's own work is no reason to reduce the share of a project. */
  private hasOthers(owner: Owner): boolean {
    for (const [other, state] of this.owners) if (other !== owner && other !== 'system' && state.isActive) return true;
    return false;
  }

  private lease(
    owner: Owner,
    state: OwnerState<R>,
    { short, isHeavy, isCrowded }: { short: boolean; isHeavy: boolean; isCrowded: boolean },
  ): PoolLease<R> {
    const resource = this.free.pop() as R;
    const kind = short ? 'short' : 'long';
    state.inUse[kind] += 1;
    if (!short) this.long += 1;
    const since = performance.now();
    const lease = { since };
    state.leasesSince.add(lease);
    const crowding = new AbortController();
    if (!isCrowded) this.uncrowded.set(crowding, owner);
    let isOut = true;
    const release = () => {
      if (!isOut) return;
      isOut = false;
      this.uncrowded.delete(crowding);
      this.free.push(resource);
      state.inUse[kind] -= 1;
      state.leasesSince.delete(lease);
      if (!short) this.long -= 1;
      state.activeAt = performance.now();
      state.use(state.activeAt - since);
      this.serve();
    };
    return { resource, isCrowded, isHeavy, crowding: crowding.signal, release };
  }
}
