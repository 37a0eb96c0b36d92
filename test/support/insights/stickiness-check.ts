import fc from 'fast-check';
import { type TestService } from '../service.js';
import { type FilterGroup } from './filters.js';
import { beginHistory, history, World, type History } from './history.js';
import { type Model } from './model.js';
import { comparePoint, insightOf, patient, walkPoint } from './points.js';
import { rangeOf } from './ranges.js';
import {
  naiveStickiness,
  rangeBefore,
  stickinessParameters,
  stickinessQuestion,
  type NaiveStickiness,
  type StickinessQuestion,
} from './stickiness.js';

export interface StickinessScene {
  readonly history: History;
  /** One at first, one after all turns. */
  readonly questions: readonly StickinessQuestion[];
  readonly pick: number;
}

/** Around one of the moments at which something was done. */
export const stickinessScene: fc.Arbitrary<StickinessScene> = fc.tuple(history, fc.nat()).chain(([drawn, pick]) => {
  const times = drawn.events.map(({ timestamp }) => timestamp.getTime());
  const around = times[pick % Math.max(1, times.length)] ?? drawn.now.getTime();
  return fc.record({
    history: fc.constant(drawn),
    questions: fc.array(stickinessQuestion(drawn, around, drawn.now.getTime()), { minLength: 2, maxLength: 2 }),
    pick: fc.constant(pick),
  });
});

interface Series {
  readonly order: number;
  readonly compare_label?: string;
  readonly days: readonly number[];
  readonly data: readonly number[];
  readonly count: number;
}

/** Throws where an answer is not what looking at everybody gives. The number of points with somebody in them. */
export const checkStickiness = async (
  given: TestService,
  { history: drawn, questions, pick }: StickinessScene,
): Promise<number> => {
  const service = patient(given);
  const { path, headers, goOn } = await beginHistory(service, drawn);
  const world = new World(drawn);
  const asking = { path: `${path}/stickiness`, headers };
  let seen = 0;
  for (const [at, question] of questions.entries()) {
    if (at > 0) for (const turn of drawn.turns) await goOn(world, turn);
    seen += await checkQuestion(service, asking, drawn, world.model(), question, pick);
  }
  return seen;
};

const checkQuestion = async (
  service: TestService,
  asking: Parameters<typeof insightOf>[1],
  drawn: History,
  model: Model,
  q: StickinessQuestion,
  pick: number,
): Promise<number> => {
  const { zone, weekStartDay, now, testAccountFilters } = drawn;
  const clock = { zone, weekStartDay };
  const earliest = model.events.length > 0 ? Math.min(...model.events.map(({ timestamp }) => +timestamp)) : null;
  const asked = { ...clock, interval: q.interval, now: now.getTime(), earliest, wholeDays: true };
  const range = rangeOf(q.range, asked);
  const before = q.compare ? rangeBefore(range, q.range, clock) : null;
  const testAccounts: FilterGroup | null = q.filterTestAccounts ? { type: 'AND', values: testAccountFilters } : null;

  const parameters = { ...stickinessParameters(q), ...(before ? { compare: 'true' } : {}) };
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
  if (insight.series.length !== periods.length * q.series.length) throw new Error('not as many series as asked for');
  for (const [nth, [label, span]] of periods.entries()) {
    for (const [order, series] of q.series.entries()) {
      const naive = naiveStickiness(model, clock, span, q, series, testAccounts);
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
  const wanted = { order, compare_label: label, days, data, count: data.reduce((sum, number) => sum + number, 0) };
  const got = found && {
    order: found.order,
    compare_label: found.compare_label,
    days: found.days,
    data: found.data,
    count: found.count,
  };
  if (JSON.stringify(got) !== JSON.stringify(wanted))
    throw new Error(`${JSON.stringify(got)} in place of ${JSON.stringify(wanted)} (${JSON.stringify(parameters)})`);
};

/** Every point with somebody in it; now and then one without; everybody or a point page by page. */
const comparePoints = async (
  service: TestService,
  asking: Parameters<typeof insightOf>[1],
  parameters: Readonly<Record<string, string>>,
  naive: NaiveStickiness,
  pick: number,
): Promise<number> => {
  const points = naive.map((names, at) => ({
    asked: { ...parameters, stickiness_days: String(at + 1) },
    names,
    number: names.length,
  }));
  const lived = points.filter(({ number }) => number > 0);
  const empty = points.filter(({ number }) => number === 0);
  const some = <T>(list: readonly T[]): T[] => (list.length === 0 ? [] : list.slice(pick % list.length).slice(0, 1));
  for (const { asked, ...point } of [...lived, ...(pick % 4 === 0 ? some(empty) : [])])
    await comparePoint(service, asking, asked, point);
  if (pick % 2 === 0) for (const { asked, ...point } of some(lived)) await walkPoint(service, asking, asked, point);
  const all = lived.flatMap(({ names }) => names).sort();
  if (pick % 2 === 1) await walkPoint(service, asking, parameters, { number: all.length, names: all });
  return lived.length;
};
