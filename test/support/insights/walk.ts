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

/**
 * The points whose persons are compared: very many streams with a few points each find more than few streams with all.
 * Which points they are depends on the pick.
 */
export const fewOf = <T>(points: readonly T[], pick: number, most = 2): readonly T[] => {
  const start = points.length === 0 ? 0 : pick % points.length;
  return [...points.slice(start), ...points.slice(0, start)].slice(0, most);
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

/** Values as a query string takes them: texts as they are, the rest as JSON. */
export const queryOf = (parameters: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
