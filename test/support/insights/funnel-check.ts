import { bucketsOf, following, labelOf } from './buckets.js';
import {
  hasTaken,
  naiveJourneys,
  naiveSteps,
  placesOf,
  reachOf,
  secondsBetween,
  type Journey,
  type NaiveFunnel,
} from './funnel.js';
import { funnelOf, funnelParameters, funnelQuestion, splitParameters, type FunnelQuestion } from './funnel-question.js';
import { textOf } from './breakdown.js';
import { personName, type Model } from './model.js';
import { checkStreamScene, streamSceneOf, type StreamPoint, type StreamScene } from './stream-scene.js';
import { stream, withUrls } from './stream.js';
import { fewOf, queryOf, twoAtOnce, walk } from './walk.js';
import { type ServiceHandle } from '../service-handle.js';

export const funnelScene = streamSceneOf(stream({ minEvents: 15, maxEvents: 60 }).map(withUrls), () => funnelQuestion);

interface Step {
  readonly count: number;
  readonly conversion_rate: number;
  readonly average_conversion_time: number | null;
  readonly median_conversion_time: number | null;
}

type Value = string | readonly string[];

/** As journeys have it: the JSON of a list. */
const listed = (value: Value): string => JSON.stringify(typeof value === 'string' ? [value] : value);

interface Trend {
  readonly breakdown_value?: Value;
  readonly days: readonly string[];
  readonly reached_from: readonly number[];
  readonly reached_to: readonly number[];
}

interface Insight {
  readonly steps?: readonly Step[];
  readonly breakdown?: readonly { readonly value: Value; readonly steps: readonly Step[] }[];
  readonly bins?: readonly { readonly from: number; readonly to: number; readonly count: number }[];
  readonly average_conversion_time?: number | null;
  readonly series?: readonly Trend[];
}

/** Throws where an answer is not what following each person gives. The number of points with persons that it looked at. */
export const checkFunnels = (service: ServiceHandle, scene: StreamScene<FunnelQuestion>): Promise<number> =>
  checkStreamScene(service, 'funnel', scene, (question, at) => new Check(question, at).run());

/** The same, and now and then a funnel that counts sessions. */
export const checkFunnelsAndSessions = (service: ServiceHandle, scene: StreamScene<FunnelQuestion>): Promise<number> =>
  checkStreamScene(service, 'funnel', scene, async (question, at) => {
    const seen = await new Check(question, at).run();
    const isOfEvents = question.split?.breakdown.parts.every(({ type }) => type === 'event') ?? true;
    if (at.pick % 2 === 0 && isOfEvents)
      await new Check(question, { ...at, model: ofSessions(at.model) }, session).run();
    return seen;
  });

const session = 'properties.$session_id';

/** The events of each session, as if it were a person. */
const ofSessions = (model: Model): Model => ({
  ...model,
  events: model.events.flatMap((event) => {
    const name = textOf(event.properties.$session_id);
    return name === '' ? [] : [{ ...event, distinctId: name, person: event.person && { ...event.person, name } }];
  }),
});

/** A number of the answer, the parameters that list its persons, and who they should be. */
interface Point {
  readonly number: number | undefined;
  readonly selected: object;
  readonly expected: readonly string[];
}

class Check {
  private readonly funnel: NaiveFunnel;
  private readonly parameters: object;
  private readonly journeys: readonly Journey[];

  constructor(
    private readonly question: FunnelQuestion,
    private readonly at: StreamPoint,
    private readonly aggregate: string | null = null,
  ) {
    this.funnel = funnelOf(question, at.drawn);
    // Times are those of everybody.
    const split = question.viz === 'time_to_convert' ? null : question.split;
    this.journeys = naiveJourneys(at.model, this.funnel, split);
    this.parameters = {
      ...funnelParameters(question, this.funnel),
      ...splitParameters(split),
      funnel_viz_type: question.viz,
      interval: question.interval,
      funnel_from_step: question.between.from,
      funnel_to_step: question.between.to,
      ...(aggregate !== null && { funnel_aggregate_by_hogql: aggregate }),
    };
  }

  async run(): Promise<number> {
    const answer = await this.at.service.call('POST', this.at.path, {
      body: { ...this.parameters, include: 'insight' },
    });
    if (answer.status !== 200) this.demand('status', answer.body, 200);
    const { insight } = answer.body as { insight: Insight };
    const points = {
      steps: () => this.ofSteps(insight),
      time_to_convert: () => this.ofTimes(insight),
      trends: () => this.ofTrends(insight),
    }[this.question.viz]();
    // Values have no list of persons.
    if (this.aggregate !== null) return 0;
    // Points without persons look all the same: one of them is enough.
    const some = points.filter(({ expected }) => expected.length > 0);
    const none = points.filter((point) => !some.includes(point));
    const compared = [...fewOf(some, this.at.pick), ...fewOf(none, this.at.pick, 1)];
    await twoAtOnce(compared, (point, at) => this.comparePeople(point, at === 0));
    return some.length;
  }

  private ofSteps({ steps = [], breakdown = [] }: Insight): Point[] {
    if (this.question.split === null) {
      this.compareSteps(steps, this.journeys);
      return this.pointsOfSteps(steps, this.journeys, {});
    }
    const values = [...new Set(this.journeys.map(({ value }) => value))];
    this.demand('values', breakdown.map(({ value }) => listed(value)).sort(), values.sort());
    const ranked = breakdown.filter(({ value }) => value !== 'Other').map(({ steps: own }) => own[0]?.count ?? 0);
    this.demand(
      'order of values',
      ranked,
      [...ranked].sort((a, b) => b - a),
    );
    return breakdown.flatMap(({ value, steps: own }) => {
      const journeys = this.journeys.filter((journey) => journey.value === listed(value));
      this.compareSteps(own, journeys);
      return this.pointsOfSteps(own, journeys, { breakdown_value: typeof value === 'string' ? [value] : value });
    });
  }

  private compareSteps(steps: readonly Step[], journeys: readonly Journey[]): void {
    const expected = naiveSteps(this.funnel, journeys);
    const rate = (count: number) => count / Math.max(1, expected[0]?.count ?? 0);
    this.demand(
      'steps',
      steps.map(rounded),
      expected.map((step) => rounded({ ...step, conversion_rate: rate(step.count) })),
    );
  }

  private pointsOfSteps(steps: readonly Step[], journeys: readonly Journey[], selected: object): Point[] {
    const places = placesOf(this.funnel);
    const actors = (is: (journey: Journey) => boolean) => journeys.filter(is).map(({ actor }) => actor);
    return places.flatMap((place, at) => {
      const { count = 0 } = steps[at] ?? {};
      const reached = actors((journey) => hasTaken(journey, place));
      const here = { number: count, selected: { ...selected, funnel_step: at + 1 }, expected: reached };
      // Who dropped off is what is left of the step before: of one step they are listed.
      if (at === 0 || at !== 1 + (this.at.pick % (steps.length - 1))) return [here];
      const before = places.findLastIndex(({ isOptional }, other) => other < at && !isOptional);
      const previous = places[before];
      const number = (steps[before]?.count ?? 0) - count;
      const dropped = actors(
        (journey) => previous !== undefined && hasTaken(journey, previous) && !hasTaken(journey, place),
      );
      return [here, { number, selected: { ...selected, funnel_step: -(at + 1) }, expected: dropped }];
    });
  }

  private ofTimes({ bins = [], average_conversion_time: average }: Insight): Point[] {
    const { from, to } = this.question.between;
    const through = this.journeys.filter((journey) => reachOf(journey) > to);
    const times = this.funnel.steps.length < 2 ? [] : through.map((journey) => secondsBetween(journey, from, to));
    const last = bins.length - 1;
    const isIn = (time: number, at: number) =>
      time >= (bins[at]?.from ?? NaN) && (at === last || time < (bins[at]?.to ?? NaN));
    const binned = bins.map((_, at) => through.filter((_, place) => isIn(times[place] ?? NaN, at)));
    this.demand(
      'bins',
      bins.map(({ count }) => count),
      binned.map(({ length }) => length),
    );
    this.demand('all bins', binned.flat().length, times.length);
    const mean = times.length === 0 ? null : times.reduce((sum, time) => sum + time, 0) / times.length;
    this.demand('average', inMilliseconds(average ?? null), inMilliseconds(mean));
    const expected = through.map(({ actor }) => actor);
    const ofBins = bins.map((bin, at) => ({
      number: bin.count,
      selected: { conversion_time_from: bin.from, ...(at === last ? {} : { conversion_time_to: bin.to }) },
      expected: (binned[at] ?? []).map(({ actor }) => actor),
    }));
    return [{ number: undefined, selected: { funnel_step: to + 1 }, expected }, ...ofBins];
  }

  private ofTrends({ series = [] }: Insight): Point[] {
    const values = [...new Set(this.journeys.map(({ value }) => value))].sort();
    const isSplit = this.question.split !== null;
    if (isSplit) this.demand('values', series.map(({ breakdown_value: value = '' }) => listed(value)).sort(), values);
    return series.flatMap((trend) => {
      const { breakdown_value: value = '' } = trend;
      const journeys = isSplit ? this.journeys.filter((journey) => journey.value === listed(value)) : this.journeys;
      const selected = { breakdown_value: typeof value === 'string' ? [value] : value };
      return this.pointsOfTrend(trend, journeys, isSplit ? selected : {});
    });
  }

  /** How far each person got from its best entrance in each interval. */
  private pointsOfTrend(trend: Trend, journeys: readonly Journey[], selected: object): Point[] {
    const { interval, between } = this.question;
    const starts = bucketsOf(interval, this.funnel.from, this.funnel.to, this.at.drawn);
    this.demand(
      'days',
      trend.days,
      starts.map((start) => labelOf(interval, start, this.at.drawn)),
    );
    const lastEntered = trend.reached_from.findLastIndex((number) => number > 0);
    return starts.flatMap((start, at) => {
      const end = following(interval, start, this.at.drawn).getTime();
      const isIn = ([entered = NaN]: readonly number[]) => entered >= start.getTime() && entered < end;
      const entered = journeys
        .map(({ actor, attempts }) => ({ actor, reach: Math.max(0, ...attempts.filter(isIn).map(lengthOf)) }))
        .filter(({ reach }) => reach > between.from);
      const [there, dropped] = [true, false].map((expected) =>
        entered.filter(({ reach }) => reach > between.to === expected).map(({ actor }) => actor),
      );
      const [from, to] = [trend.reached_from[at] ?? NaN, trend.reached_to[at] ?? NaN];
      this.demand('trend', [from, to], [entered.length, there?.length]);
      const here = { ...selected, entrance_period_start: trend.days[at] };
      const points = [{ number: to, selected: here, expected: there ?? [] }];
      // Who dropped off is what is left of those who entered: of one interval they are listed.
      if (at !== lastEntered) return points;
      return [...points, { number: from - to, selected: { ...here, drop_off: true }, expected: dropped ?? [] }];
    });
  }

  private async comparePeople({ number, selected, expected }: Point, inSteps: boolean): Promise<void> {
    const query = queryOf({ ...this.parameters, ...selected, include: 'persons', limit: inSteps ? 2 : 1000 });
    const people = await walk<{ readonly distinct_ids: readonly string[] }>(this.at.service, this.at.path, query);
    this.demand(`persons of ${JSON.stringify(selected)}`, people.map(personName).sort(), [...expected].sort());
    if (number !== undefined) this.demand(`number of ${JSON.stringify(selected)}`, number, people.length);
  }

  private demand(what: string, got: unknown, expected: unknown): void {
    if (JSON.stringify(got) === JSON.stringify(expected)) return;
    throw new Error(
      `${what}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}: ${JSON.stringify(this.parameters)}`,
    );
  }
}

const lengthOf = ({ length }: readonly number[]): number => length;

const inMilliseconds = (seconds: number | null): number | null =>
  seconds === null ? null : Math.round(seconds * 1000);

const rounded = ({ count, conversion_rate, average_conversion_time, median_conversion_time }: Step) => [
  count,
  Math.round(conversion_rate * 1e9),
  inMilliseconds(average_conversion_time),
  inMilliseconds(median_conversion_time),
];
