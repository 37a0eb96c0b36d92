import { type ServiceHandle } from '../service-handle.js';
import { comparedWith } from './comparison.js';
import { comparePoint, requireRefusedRange, insightOf, walkPoint, type Asking } from './points.js';
import { fewOf } from './walk.js';
import { checkScene, sceneOf, type Point, type Scene } from './scene.js';
import {
  naiveStickiness,
  stickinessParameters,
  stickinessQuestion,
  type NaiveStickiness,
  type StickinessQuestion,
} from './stickiness.js';

export const stickinessScene = sceneOf(stickinessQuestion);

/** Throws where an answer is not the naive one. Returns the number of points with persons. */
export const checkStickiness = (service: ServiceHandle, scene: Scene<StickinessQuestion>): Promise<number> =>
  checkScene(service, 'stickiness', scene, checkQuestion);

interface Series {
  readonly order: number;
  readonly compare_label?: string;
  readonly days: readonly number[];
  readonly data: readonly number[];
  readonly count: number;
}

const checkQuestion = async (
  q: StickinessQuestion,
  { service, asking, model, clock, pick, rangeOf, testAccounts }: Point,
): Promise<number> => {
  const range = rangeOf(q.range, { interval: q.interval, wholeDays: true });
  if (range.from > range.to) {
    const query = stickinessParameters(q);
    return requireRefusedRange(await service.call('GET', asking.path, { query, headers: asking.headers }));
  }
  const before = comparedWith(q, range, clock);
  const parameters = {
    ...stickinessParameters(q),
    ...(before && q.compareTo ? { compare_to: q.compareTo } : before ? { compare: 'true' } : {}),
  };
  const insight = await insightOf<{ series: readonly Series[]; date_from: string; date_to: string }>(
    service,
    asking,
    parameters,
  );
  const [from, to] = [range.from, range.to].map((ms) => new Date(ms).toISOString());
  if (insight.date_from !== from || insight.date_to !== to)
    throw new Error(
      `from ${insight.date_from} to ${insight.date_to} in place of ${from} to ${to} (${JSON.stringify(parameters)})`,
    );

  let seen = 0;
  const periods = [['current', range] as const, ...(before ? ([['previous', before]] as const) : [])];
  if (insight.series.length !== periods.length * q.series.length)
    throw new Error('not as many series as parameters for');
  for (const [nth, [label, span]] of periods.entries()) {
    for (const [order, series] of q.series.entries()) {
      const naive = naiveStickiness(model, clock, span, q, series, q.filterTestAccounts ? testAccounts : null);
      const answered = insight.series[nth * q.series.length + order];
      compareSeries(answered, naive, { order, label: before ? label : undefined }, parameters);
      const whose = { ...parameters, series: String(order), ...(before ? { compare_label: label } : {}) };
      seen += await comparePoints(service, asking, whose, naive, pick);
    }
  }
  return seen;
};

const compareSeries = (
  found: Series | undefined,
  naive: NaiveStickiness,
  { order, label }: { order: number; label: string | undefined },
  parameters: object,
): void => {
  const data = naive.map((names) => names.length);
  const days = naive.map((_, at) => at + 1);
  const expected = { order, compare_label: label, days, data, count: data.reduce((sum, number) => sum + number, 0) };
  const got = found && {
    order: found.order,
    compare_label: found.compare_label,
    days: found.days,
    data: found.data,
    count: found.count,
  };
  if (JSON.stringify(got) !== JSON.stringify(expected))
    throw new Error(`${JSON.stringify(got)} in place of ${JSON.stringify(expected)} (${JSON.stringify(parameters)})`);
};

/** A few points with persons; now and then one without; all persons or a point page by page. */
const comparePoints = async (
  service: ServiceHandle,
  asking: Asking,
  parameters: Readonly<Record<string, string>>,
  naive: NaiveStickiness,
  pick: number,
): Promise<number> => {
  const points = naive.map((names, at) => ({
    parameters: { ...parameters, stickiness_days: String(at + 1) },
    names,
    number: names.length,
  }));
  const lived = points.filter(({ number }) => number > 0);
  const empty = points.filter(({ number }) => number === 0);
  const some = <T>(list: readonly T[]): readonly T[] => fewOf(list, pick, 1);
  for (const { parameters, ...point } of [...fewOf(lived, pick, 2), ...(pick % 4 === 0 ? some(empty) : [])])
    await comparePoint(service, asking, parameters, point);
  if (pick % 2 === 0)
    for (const { parameters, ...point } of some(lived)) await walkPoint(service, asking, parameters, point);
  const all = lived.flatMap(({ names }) => names).sort();
  if (pick % 2 === 1) await walkPoint(service, asking, parameters, { number: all.length, names: all });
  return lived.length;
};
