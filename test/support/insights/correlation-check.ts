import {
  correlationParameters,
  correlationQuestion,
  naiveCorrelation,
  type CorrelationQuestion,
  type NaiveRow,
} from './correlation.js';
import { funnelOf, funnelParameters } from './funnel-question.js';
import { personName } from './model.js';
import { checkStreamScene, streamSceneOf, type StreamPoint, type StreamScene } from './stream-scene.js';
import { stream } from './stream.js';
import { fewOf, queryOf, twoAtOnce, walk } from './walk.js';
import { type ServiceHandle } from '../service-handle.js';

export const correlationScene = streamSceneOf(stream({ minEvents: 60, maxEvents: 140 }), () => correlationQuestion);

interface Row {
  readonly event: string | null;
  readonly property: string | null;
  readonly value: string | null;
  readonly success_count: number;
  readonly failure_count: number;
  readonly odds_ratio: number;
  readonly correlation_type: string;
}

interface Insight {
  readonly correlations: readonly Row[];
  readonly success_total: number;
  readonly failure_total: number;
  readonly skewed: boolean;
}

/** Throws where an answer is not what following each person gives. The number of points with persons. */
export const checkCorrelations = (service: ServiceHandle, scene: StreamScene<CorrelationQuestion>): Promise<number> =>
  checkStreamScene(service, 'funnel/correlation', scene, checkQuestion);

/** A number of the answer, the parameters that list its persons, and who they should be. */
interface Point {
  readonly number: number | undefined;
  readonly selected: object;
  readonly expected: readonly string[];
}

const checkQuestion = async (
  question: CorrelationQuestion,
  { service, path, drawn, model, pick }: StreamPoint,
): Promise<number> => {
  const funnel = funnelOf(question.funnel, drawn);
  const naive = naiveCorrelation(model, funnel, question.correlation);
  const parameters = { ...funnelParameters(question.funnel, funnel), ...correlationParameters(question.correlation) };
  const demand = (what: string, got: unknown, expected: unknown) => {
    if (JSON.stringify(got) === JSON.stringify(expected)) return;
    throw new Error(
      `${what}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}: ${JSON.stringify(parameters)}`,
    );
  };
  const answer = await service.call('POST', path, { body: { ...parameters, include: 'insight' } });
  if (answer.status !== 200) demand('status', answer.body, 200);
  const { correlations, success_total, failure_total, skewed } = (answer.body as { insight: Insight }).insight;
  const { success, failure, rows } = naive;
  demand('totals', [success_total, failure_total], [success.length, failure.length]);
  demand('skewed', skewed, success.length === 0 || failure.length === 0);
  demand('correlations', correlations.map(shown), rows.map(expectedRow));

  const points: Point[] = [
    { number: success_total, selected: of(true), expected: success },
    { number: failure_total, selected: of(false), expected: failure },
    ...rows.flatMap((row, at) => [
      { number: correlations[at]?.success_count, selected: { ...of(true), ...having(row) }, expected: row.success },
      { number: correlations[at]?.failure_count, selected: { ...of(false), ...having(row) }, expected: row.failure },
    ]),
  ];
  // Points without persons look all the same: one of them is enough.
  const some = points.filter(({ expected }) => expected.length > 0);
  const none = points.filter(({ expected }) => expected.length === 0);
  await twoAtOnce([...fewOf(some, pick), ...fewOf(none, pick, 1)], async ({ number, selected, expected }, at) => {
    const limit = at === 0 ? 2 : 1000;
    const query = queryOf({ ...parameters, ...selected, include: 'persons', limit });
    const people = await walk<{ readonly distinct_ids: readonly string[] }>(service, path, query);
    demand(`persons of ${JSON.stringify(selected)}`, people.map(personName).sort(), [...expected].sort());
    demand(`number of ${JSON.stringify(selected)}`, number, people.length);
  });
  return some.length;
};

const of = (converted: boolean): object => ({ funnel_correlation_person_converted: converted });

const having = ({ event, property, value }: NaiveRow): object => {
  const properties = property === null ? [] : [{ key: property, value: [value] }];
  if (event === null) return { funnel_correlation_property_values: properties };
  return { funnel_correlation_person_entity: { id: event, properties } };
};

const nine = (odds: number): number => Math.round(odds * 1e9);

const shown = (row: Row) => [
  row.event,
  row.property,
  row.value,
  row.success_count,
  row.failure_count,
  nine(row.odds_ratio),
  row.correlation_type,
];

const expectedRow = ({ event, property, value, success, failure, odds, kind }: NaiveRow) => [
  event,
  property,
  value,
  success.length,
  failure.length,
  nine(odds),
  kind,
];
