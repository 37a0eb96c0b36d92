import { type ServiceHandle } from '../service-handle.js';
import { requireRefusedRange } from './points.js';
import { personName } from './model.js';
import { checkStreamScene, streamSceneOf, type StreamPoint, type StreamScene } from './stream-scene.js';
import { stream, withUrls } from './stream.js';
import {
  countsPersons,
  comparedQuestion,
  naiveTrends,
  trendsParameters,
  trendsQuestion,
  type NaiveLine,
  type TrendsQuestion,
} from './trends.js';
import { fewOf, twoAtOnce, walk } from './walk.js';

interface Person {
  readonly distinct_ids: readonly string[];
  readonly value_at_data_point: number;
}

interface Line {
  readonly breakdown_value: string | readonly string[] | null;
  readonly order: number;
  readonly compare_label: string | null;
  readonly data?: readonly number[];
  readonly count: number;
  readonly aggregated_value: number | null;
}

const now = '2024-12-31T12:00:00.000Z';

const differs = (a: number, b: number): boolean => Math.abs(a - b) > 1e-9 * Math.max(1, Math.abs(a));

export const trendsScene = streamSceneOf(stream().map(withUrls), (drawn, around) =>
  trendsQuestion(drawn, Math.floor(around / 900_000) * 900_000),
);

/** Throws where an answer about the stream is not what event by event gives. The number of points with persons. */
export const checkTrends = (service: ServiceHandle, scene: StreamScene<TrendsQuestion>): Promise<number> =>
  checkStreamScene(service, 'trends', scene, checkQuestion);

const checkQuestion = async (
  question: TrendsQuestion,
  { service, path, drawn, model, pick }: StreamPoint,
): Promise<number> => {
  const headers = { 'X-Test-Now': now };
  const before = comparedQuestion(question, drawn);
  const parameters = trendsParameters(question, before !== null);
  const answer = await service.call('GET', path, { query: { ...parameters, include: 'insight' }, headers });
  if (question.from.at > question.to.at) return requireRefusedRange(answer);
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const lines = (answer.body as { insight: { series: Line[] } }).insight.series;
  let seen = 0;
  const periods = before
    ? ([
        ['current', question],
        ['previous', before],
      ] as const)
    : ([[null, question]] as const);
  const all = periods.flatMap(([label, one]) =>
    one.series.map((definition, order) => ({ label, one, definition, order })),
  );
  for (const { label, one, definition, order: series } of all) {
    const naive = naiveTrends(model, drawn, one, definition);
    compareLines(
      definition.math,
      naive,
      lines.filter(({ order, compare_label }) => order === series && compare_label === label),
    );
    const points = naive.flatMap(({ value, points: own }) => own.map((point) => ({ ...point, value })));
    // Points without persons look all the same: one of them is enough.
    const some = points.filter(({ people }) => people.size > 0);
    const none = points.filter(({ people }) => people.size === 0);
    await twoAtOnce([...fewOf(some, pick), ...fewOf(none, pick, 1)], async (point, at) => {
      const selected = {
        series: String(series),
        ...(label === null ? {} : { compare_label: label }),
        ...(point.day === null ? {} : { day: point.day }),
        ...(point.value === null ? {} : { breakdown_value: JSON.stringify(point.value) }),
      };
      const limit = at === 0 ? '2' : '1000';
      const query = { ...parameters, ...selected, include: 'persons', limit };
      comparePeople(definition.math, point, await walk<Person>(service, path, query, headers));
    });
    seen += some.length;
  }
  return seen;
};

const compareLines = (math: string, naive: readonly NaiveLine[], lines: readonly Line[]): void => {
  const valueOf = (value: NaiveLine['value']) => JSON.stringify(value);
  const [want, got] = [
    naive.map(({ value }) => valueOf(value)),
    lines.map(({ breakdown_value: value }) => valueOf(value)),
  ];
  if ([...want].sort().join() !== [...got].sort().join())
    throw new Error(`${math}: values ${got.join()} in place of ${want.join()}`);
  for (const { value, points } of naive) {
    const line = lines.find(({ breakdown_value: found }) => valueOf(found) === valueOf(value));
    const data = line?.data ?? [line?.aggregated_value ?? 0];
    const expected = points.length === 0 && !line?.data ? [0] : points.map(({ number }) => number);
    if (data.length !== expected.length || expected.some((number, at) => differs(number, data[at] ?? NaN)))
      throw new Error(`${math} of ${valueOf(value)}: ${JSON.stringify(data)} in place of ${JSON.stringify(expected)}`);
  }
  const ranked = lines.filter(({ breakdown_value: value }) => value !== 'Other').map(({ count }) => count);
  if (ranked.some((count, at) => at > 0 && count > (ranked[at - 1] ?? 0) + 1e-9))
    throw new Error(`not in falling order: ${ranked.join()}`);
};

const comparePeople = (
  math: string,
  { day, number, people }: NaiveLine['points'][number],
  found: readonly Person[],
): void => {
  const got = new Map(found.map((person) => [personName(person), person.value_at_data_point]));
  const wrong =
    got.size !== people.size ||
    [...people].some(([name, value]) => !math.startsWith('first_') && differs(value, got.get(name) ?? NaN));
  if (wrong || [...people.keys()].some((name) => !got.has(name)))
    throw new Error(
      `${math} on ${day}: persons ${JSON.stringify([...got])} in place of ${JSON.stringify([...people])}`,
    );
  const values = found.map(({ value_at_data_point: value }) => value);
  if (values.some((value, at) => value > (values[at - 1] ?? Infinity)))
    throw new Error(`not the highest first: ${values.join()}`);
  if (countsPersons(math) && found.length !== number)
    throw new Error(`${math} on ${day} is ${number}, persons are ${found.length}`);
  if (math === 'total' && values.reduce((sum, value) => sum + value, 0) !== number)
    throw new Error(`${number} events on ${day}, not of the persons`);
};
