import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

interface Running {
  readonly result: Promise<unknown>;
  readonly stop: AbortController;
  waiting: number;
}

/** Lets callers of equal work share one run, which stops when no caller waits for its result any longer. */
export class SharedWork {
  private readonly running = new Map<string, Running>();

  async share<T>(key: string, signal: AbortSignal, start: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const work = this.running.get(key) ?? this.start(key, start);
    work.waiting += 1;
    try {
      return (await untilAborted(work.result, signal)) as T;
    } finally {
      work.waiting -= 1;
      if (work.waiting === 0) work.stop.abort(new Error('no caller waits for the result any longer'));
    }
  }

  private start(key: string, start: (stop: AbortSignal) => Promise<unknown>): Running {
    const stop = new AbortController();
    const forget = () => {
      if (this.running.get(key) === work) this.running.delete(key);
    };
    const result = start(stop.signal).finally(forget);
    const work: Running = { result, stop, waiting: 0 };
    stop.signal.addEventListener('abort', forget);
    result.catch(() => undefined);
    this.running.set(key, work);
    return work;
  }
}

const untilAborted = <T>(work: Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const cancel = () => reject(signal.reason as Error);
    if (signal.aborted) return cancel();
    signal.addEventListener('abort', cancel, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', cancel));
  });

/**
 * Loads keys in batches: all keys of a group that arrive within one tick of the event loop are loaded by one statement, after the
 * last of them.
 */
export class TickBatcher<Group, Key, Result> {
  private readonly gathering = new Map<Group, { readonly keys: Set<Key>; readonly result: Promise<Result> }>();

  constructor(private readonly loadAll: (group: Group, keys: readonly Key[]) => Promise<Result>) {}

  load(group: Group, key: Key): Promise<Result> {
    const gathered = this.gathering.get(group) ?? this.gather(group);
    gathered.keys.add(key);
    return gathered.result;
  }

  private gather(group: Group) {
    const keys = new Set<Key>();
    const result = yieldToEventLoop().then(() => {
      this.gathering.delete(group);
      return this.loadAll(group, [...keys]);
    });
    const gathered = { keys, result };
    this.gathering.set(group, gathered);
    return gathered;
  }
}
