import { type CallOptions, type ServiceHandle } from '../service-handle.js';

interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly T[];
}

/** Everything a list has, page by page along `next`. A count that is not what the walk lists is a fault. */
export const walk = async <T>(
  service: ServiceHandle,
  path: string,
  query: CallOptions['query'] = {},
  headers: CallOptions['headers'] = {},
): Promise<readonly T[]> => {
  const all: T[] = [];
  let answer = await service.call('GET', path, { query, headers });
  for (;;) {
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    const { count, next, results } = answer.body as Page<T>;
    all.push(...results);
    if (next === null) {
      if (all.length !== count) throw new Error(`${path} counts ${count}, a walk lists ${all.length}`);
      return all;
    }
    if (results.length === 0) throw new Error(`${path} has an empty page before its end`);
    const { pathname, search } = new URL(next);
    answer = await service.call('GET', pathname + search, { headers });
  }
};

/** As many at a time as the service runs questions of one project. */
export const twoAtOnce = async <T>(
  items: readonly T[],
  work: (item: T, at: number) => Promise<void>,
): Promise<void> => {
  const waiting = items.entries();
  const run = async () => {
    for (const [at, item] of waiting) await work(item, at);
  };
  await Promise.all([run(), run()]);
};
