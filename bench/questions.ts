import { Params, type QuestionRequest, Questions } from '../src/filters/asking/questions.js';
import { type QuestionScopes } from '../src/analytics/shared/question-scopes.js';
import { BreakdownBins } from '../src/analytics/shared/breakdown-bins.js';
import { type Answer } from '../src/analytics/shared/insight-responder.js';
import { FunnelService } from '../src/analytics/funnel/funnel.service.js';
import { LifecycleService } from '../src/analytics/lifecycle/lifecycle.service.js';
import { PathsService } from '../src/analytics/paths/paths.service.js';
import { RetentionService } from '../src/analytics/retention/retention.service.js';
import { CleaningCheck } from '../src/analytics/paths/cleaning-check.js';
import { TrendsNumbersService } from '../src/analytics/trends/trends.numbers.service.js';
import { TrendsService } from '../src/analytics/trends/trends.service.js';
import { TrendsValuesService } from '../src/analytics/trends/trends.values.service.js';
import { type CohortNames } from '../src/analytics/shared/cohort-names.js';
import { type MemberHistories } from '../src/kernel/memberships/member-histories.js';
import { StickinessService } from '../src/analytics/stickiness/stickiness.service.js';
import { type ClickHouse } from '../src/platform/clickhouse/client.js';
import { rounded, type Bench, type Figure } from './bench.js';
import { now, project, scope, withQuestionData } from './support/question-data.js';
import { assertSame, numbersOfOurs, numbersOfReference, type ReferenceRow } from './support/question-numbers.js';
import { referenceQuestions, type QuestionName } from './support/reference-questions.js';

/** Fewer for a first look. */
const events = Number(process.env.BENCH_EVENTS ?? 5_000_000);
const rounds = 5;

type Ask = (question: QuestionRequest) => Promise<Pick<Answer, 'insight'>>;

const pageview = [{ id: '$pageview' }];

/** The parameters of each question, as they come in a request. */
const parameters: Readonly<Record<QuestionName, Readonly<Record<string, unknown>>>> = {
  trend: { events: pageview, date_from: '-30d' },
  'daily actives': { events: [{ id: '$pageview', math: 'dau' }], date_from: '-30d' },
  breakdown: { events: pageview, date_from: '-30d', breakdown: '$browser' },
  'property filter': { events: pageview, date_from: '-30d', properties: [{ key: 'plan', value: 'pro' }] },
  'sum of a property': { events: [{ id: 'purchased', math: 'sum', math_property: 'price' }], date_from: '-30d' },
  funnel: { events: [{ id: 'signed up' }, { id: 'searched' }, { id: 'purchased' }], date_from: '-30d' },
  'funnel by a property': {
    events: [{ id: 'signed up' }, { id: 'searched' }, { id: 'purchased' }],
    date_from: '-30d',
    breakdown: '$browser',
  },
  retention: { total_intervals: 15 },
  lifecycle: { events: pageview, date_from: '-30d' },
  stickiness: { events: pageview, date_from: '-30d' },
  paths: { include_event_types: ['$pageview'], date_from: '-7d' },
};

/** How the service answers each question. */
export const askersOf = (clickhouse: ClickHouse): Readonly<Record<QuestionName, Ask>> => {
  const questions = new Questions(clickhouse);
  // Every public method, so that the compiler tells of one that is added.
  const stub: { readonly [Method in keyof QuestionScopes]: QuestionScopes[Method] } = {
    read: (readQuery, { params, project: of, now: moment }) => Promise.resolve(readQuery(params, of, moment)),
    check: () => Promise.resolve(),
    open: (...[, , , , form]) => Promise.resolve({ ...scope, groupType: form?.groupType ?? null }),
    resolveRange: (_, { from, to }) => Promise.resolve({ from: from ?? to, to }),
  };
  const scopes = stub as QuestionScopes;
  const values = new TrendsValuesService(questions);
  const bins = new BreakdownBins(questions);
  const cohortNames = { of: () => Promise.resolve(new Map<string, string>()) } as unknown as CohortNames;
  const histories = { read: () => Promise.resolve([]) } as unknown as MemberHistories;
  const numbers = new TrendsNumbersService(questions, values);
  const trends = new TrendsService(scopes, numbers, values, cohortNames, bins, histories);
  const by =
    <T extends { ask(question: QuestionRequest): ReturnType<Ask> }>(service: T): Ask =>
    (question) =>
      service.ask(question);
  return {
    trend: by(trends),
    'daily actives': by(trends),
    breakdown: by(trends),
    'property filter': by(trends),
    'sum of a property': by(trends),
    funnel: by(new FunnelService(scopes, questions, bins, cohortNames)),
    'funnel by a property': by(new FunnelService(scopes, questions, bins, cohortNames)),
    retention: by(new RetentionService(scopes, questions, bins, cohortNames)),
    lifecycle: by(new LifecycleService(scopes, questions)),
    stickiness: by(new StickinessService(scopes, questions)),
    paths: by(new PathsService(scopes, questions, new CleaningCheck(clickhouse))),
  };
};

export const names = Object.keys(parameters) as QuestionName[];

/** One question, parsed, answered and shaped. */
export const askOurs = async (ask: Ask, name: QuestionName, changes: Readonly<Record<string, unknown>> = {}) => {
  const params = Params.of({ ...parameters[name], ...changes });
  const question = { project, now, params, signal: new AbortController().signal };
  return (await ask(question as QuestionRequest)).insight();
};

const askReference = (clickhouse: ClickHouse, name: QuestionName) =>
  clickhouse.query<ReferenceRow>(referenceQuestions[name], { project: 'system' });

export const timeOf = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};

export const median = (times: readonly number[]): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)] ?? NaN;

/**
 * The time of each question beside that of the same question to the other layout, in the same engine; with BENCH_ACTOR=group
 * beside that of the same question about groups, of which there are four times fewer than persons.
 */
export const questions: Bench = {
  name: 'questions',
  run: () => withQuestionData(events, process.env.BENCH_ACTOR === 'group' ? measureGroups : measure),
};

async function* measureGroups(clickhouse: ClickHouse): AsyncGenerator<Figure> {
  const askers = askersOf(clickhouse);
  const changes = { persons: {}, groups: { aggregation_group_type_index: 0 } } as const;
  const ratios: number[] = [];
  for (const name of names) {
    const times = { persons: [] as number[], groups: [] as number[] };
    // Round 0 warms up both.
    for (let round = 0; round <= rounds; round += 1) {
      for (const of of ['persons', 'groups'] as const) {
        const time = await timeOf(() => askOurs(askers[name], name, changes[of]));
        if (round > 0) times[of].push(time);
      }
    }
    const ratio = median(times.groups) / median(times.persons);
    ratios.push(ratio);
    yield { figure: `${name}: of persons`, value: rounded(median(times.persons), 1), unit: 'ms' };
    yield { figure: `${name}: of groups`, value: rounded(median(times.groups), 1), unit: 'ms' };
    yield { figure: `${name}: groups ÷ persons`, value: rounded(ratio), unit: 'ratio' };
  }
  yield { figure: 'groups ÷ persons, worst', value: rounded(Math.max(...ratios)), unit: 'ratio', atMost: 1.5 };
}

async function* measure(clickhouse: ClickHouse): AsyncGenerator<Figure> {
  const askers = askersOf(clickhouse);
  const ratios: number[] = [];
  for (const name of names) {
    const times = { ours: [] as number[], reference: [] as number[] };
    // This warms up both.
    const [ours, reference] = [await askOurs(askers[name], name), await askReference(clickhouse, name)];
    assertSame(name, numbersOfOurs(ours), numbersOfReference(reference));
    for (let round = 0; round < rounds; round += 1) {
      times.ours.push(await timeOf(() => askOurs(askers[name], name)));
      times.reference.push(await timeOf(() => askReference(clickhouse, name)));
    }
    const ratio = median(times.reference) / median(times.ours);
    ratios.push(ratio);
    yield { figure: `${name}: ours`, value: rounded(median(times.ours), 1), unit: 'ms' };
    yield { figure: `${name}: the other layout`, value: rounded(median(times.reference), 1), unit: 'ms' };
    yield { figure: `${name}: the other ÷ ours`, value: rounded(ratio), unit: 'ratio' };
  }
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
  yield { figure: 'geometric mean', value: rounded(mean), unit: 'ratio', atLeast: 2 };
  yield { figure: 'worst', value: rounded(Math.min(...ratios)), unit: 'ratio', atLeast: 1 };
}
