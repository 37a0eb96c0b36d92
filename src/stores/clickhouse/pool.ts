import { ClickHouseUnavailable } from './errors.js';

export interface Wish {
  /** Short statements may take every connection, others all but the ones kept free. */
  short: boolean;
  waitMs: number;
  signal?: AbortSignal;
}

export interface Lease<C> {
  connection: C;
  release: () => void;
}

interface Waiter<C> {
  short: boolean;
  accept: (lease: Lease<C>) => void;
  refuse: (error: Error) => void;
}

export interface PoolOptions {
  /** Connections that only short statements may take. */
  keptForShort?: number;
  maxWaiting?: number;
}

/** Connections, each running one statement at a time, and a bounded queue served in order of arrival. */
export class Pool<C> {
  private readonly free: C[];
  private readonly waiting: Waiter<C>[] = [];
  private readonly maxLong: number;
  private readonly maxWaiting: number;
  private long = 0;
  private closed = false;

  constructor(connections: readonly C[], options: PoolOptions = {}) {
    this.free = [...connections];
    this.maxLong = connections.length - (options.keptForShort ?? 0);
    this.maxWaiting = options.maxWaiting ?? 100;
  }

  acquire(wish: Wish): Promise<Lease<C>> {
    return new Promise((resolve, reject) => {
      if (wish.signal?.aborted) return reject(wish.signal.reason as Error);
      if (this.closed) return reject(closedError());
      const timer = setTimeout(() => waiter.refuse(busyError()), wish.waitMs);
      const leave = () => {
        clearTimeout(timer);
        wish.signal?.removeEventListener('abort', onAbort);
        const at = this.waiting.indexOf(waiter);
        if (at >= 0) this.waiting.splice(at, 1);
      };
      const waiter: Waiter<C> = {
        short: wish.short,
        accept: (lease) => (leave(), resolve(lease)),
        refuse: (error) => (leave(), reject(error)),
      };
      const onAbort = () => waiter.refuse(wish.signal?.reason as Error);
      wish.signal?.addEventListener('abort', onAbort, { once: true });
      this.waiting.push(waiter);
      this.serve();
      if (this.waiting.length > this.maxWaiting) waiter.refuse(busyError());
    });
  }

  /** Turns everybody away who still waits; leases that are out stay valid. */
  close(): void {
    this.closed = true;
    for (const waiter of [...this.waiting]) waiter.refuse(closedError());
  }

  private serve(): void {
    while (this.free.length > 0) {
      const next = this.waiting.find((waiter) => waiter.short || this.long < this.maxLong);
      if (!next) return;
      next.accept(this.lease(next.short));
    }
  }

  private lease(short: boolean): Lease<C> {
    const connection = this.free.pop() as C;
    if (!short) this.long += 1;
    let out = true;
    const release = () => {
      if (!out) return;
      out = false;
      this.free.push(connection);
      if (!short) this.long -= 1;
      this.serve();
    };
    return { connection, release };
  }
}

const busyError = () =>
  new ClickHouseUnavailable('ClickHouse is busy: too many statements are waiting, try again shortly');
export const closedError = () => new ClickHouseUnavailable('ClickHouse is closed: the service is shutting down');
