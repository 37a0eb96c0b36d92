import { type ServiceHandle } from '../service-handle.js';
import { labelOf, type Clock, type Interval } from './buckets.js';
import {
  lifecycleParameters,
  lifecycleQuestion,
  lifecycleStates,
  naiveLifecycle,
  type LifecycleQuestion,
  type LifecycleState,
  type NaiveLifecyclePoint,
} from './lifecycle.js';
import { comparePoint, requireRefusedRange, insightOf, walkPoint, type Asking } from './points.js';
import { fewOf } from './walk.js';
import { checkScene, sceneOf, type Point, type Scene } from './scene.js';

export const lifecycleScene = sceneOf(lifecycleQuestion);

/** Throws where an answer is not the naive one. Returns the number of points with persons. */
export const checkLifecycle = (service: ServiceHandle, scene: Scene<LifecycleQuestion>): Promise<number> =>
  checkScene(service, 'lifecycle', scene, checkQuestion);

interface Insight extends Readonly<Record<LifecycleState, readonly number[]>> {
  readonly days: readonly string[];
}

const checkQuestion = async (
  q: LifecycleQuestion,
  { service, asking, model, clock, pick, rangeOf, testAccounts }: Point,
): Promise<number> => {
  const range = rangeOf(q.range, { interval: q.interval, wholeDays: false });
  const naive = naiveLifecycle(model, clock, range, q, q.filterTestAccounts ? testAccounts : null);
  const parameters = lifecycleParameters(q);
  if (range.from > range.to) {
    return requireRefusedRange(await service.call('GET', asking.path, { query: parameters, headers: asking.headers }));
  }
  const insight = await insightOf<Insight>(service, asking, parameters);
  const expected = {
    days: naive.map(({ start }) => labelOf(q.interval, start, clock)),
    new: naive.map((point) => point.new.length),
    returning: naive.map(({ returning }) => returning.length),
    resurrecting: naive.map(({ resurrecting }) => resurrecting.length),
    dormant: naive.map(({ dormant }) => 0 - dormant.length),
  };
  const got = Object.fromEntries(Object.keys(expected).map((key) => [key, insight[key as keyof Insight]]));
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(got)} in place of ${JSON.stringify(expected)} (${JSON.stringify(parameters)})`);
  return comparePoints(service, asking, parameters, naive, targetsIn(q.interval, clock, pick), pick);
};

/** A point is named by its label or by one of its moments. */
const targetsIn =
  (interval: Interval, clock: Clock, pick: number) =>
  (start: Date): string =>
    pick % 2 === 0 ? labelOf(interval, start, clock) : new Date(start.getTime() + (pick % 60_000)).toISOString();

/** A few points and states with persons; of the rest a different sort each time; all persons or a point page by page. */
const comparePoints = async (
  service: ServiceHandle,
  asking: Asking,
  parameters: Readonly<Record<string, string>>,
  naive: readonly NaiveLifecyclePoint[],
  target: (start: Date) => string,
  pick: number,
): Promise<number> => {
  const points = naive.flatMap((point) =>
    lifecycleStates.map((state) => ({
      parameters: { ...parameters, lifecycle_type: state, target_date: target(point.start) },
      names: point[state],
      number: point[state].length,
    })),
  );
  const lived = points.filter(({ number }) => number > 0);
  const empty = points.filter(({ number }) => number === 0);
  const some = <T>(list: readonly T[]): readonly T[] => fewOf(list, pick, 1);
  for (const { parameters, ...point } of fewOf(lived, pick)) await comparePoint(service, asking, parameters, point);
  const inAny = (of: readonly NaiveLifecyclePoint[], states: readonly LifecycleState[]) => {
    const names = [...new Set(of.flatMap((point) => states.flatMap((state) => point[state])))].sort();
    return { names, number: names.length };
  };
  if (pick % 3 === 0)
    for (const { parameters, ...point } of some(empty)) await comparePoint(service, asking, parameters, point);
  if (pick % 3 === 1)
    for (const point of some(naive)) {
      const atPoint = { ...parameters, target_date: target(point.start) };
      await comparePoint(service, asking, atPoint, inAny([point], lifecycleStates));
    }
  if (pick % 3 === 2)
    for (const state of some(lifecycleStates))
      await comparePoint(service, asking, { ...parameters, lifecycle_type: state }, inAny(naive, [state]));
  if (pick % 2 === 0)
    for (const { parameters, ...point } of some(lived)) await walkPoint(service, asking, parameters, point);
  else await walkPoint(service, asking, parameters, inAny(naive, lifecycleStates));
  return lived.length;
};
