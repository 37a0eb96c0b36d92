import fc from 'fast-check';
import { type TestService } from '../service.js';
import { loadStream } from './load.js';
import { modelOf, personName, type Model } from './model.js';
import { clockChanges, stream, type Stream } from './stream.js';
import {
  countsPersons,
  naiveTrends,
  trendsParameters,
  trendsQuestion,
  type NaiveLine,
  type TrendsQuestion,
} from './trends.js';
import { walk } from './walk.js';

interface Person {
  readonly distinct_ids: readonly string[];
  readonly value_at_data_point: number;
}

interface Line {
  readonly breakdown_value: string | readonly string[] | null;
  readonly order: number;
  readonly data?: readonly number[];
  readonly count: number;
  readonly aggregated_value: number | null;
}

const now = '2024-12-31T12:00:00.000Z';

const differs = (a: number, b: number): boolean => Math.abs(a - b) > 1e-9 * Math.max(1, Math.abs(a));

/** A stream and questions about the moment its clocks change. */
export const trendsScene = fc.tuple(stream(), fc.nat()).chain(([drawn, pick]) => {
  const changes = clockChanges[drawn.zone] ?? [];
  const times = [...drawn.before, ...drawn.after].map(({ timestamp }) => timestamp.getTime()).sort((a, b) => a - b);
  const around = times[pick % Math.max(1, times.length)] ?? Date.parse(changes[0] ?? now);
  return fc.record({
    stream: fc.constant(drawn),
    questions: fc.array(trendsQuestion(drawn, Math.floor(around / 900_000) * 900_000), { minLength: 3, maxLength: 3 }),
    pick: fc.nat(),
  });
});

/** Throws where an answer about the stream is not what event by event gives. */
export const checkTrends = async (
  service: TestService,
  { stream: drawn, questions, pick }: { stream: Stream; questions: readonly TrendsQuestion[]; pick: number },
): Promise<void> => {
  const project = await loadStream(service, drawn);
  const model = modelOf(drawn);
  const path = `/api/projects/${project.id}/persons/trends`;
  for (const question of questions) await checkQuestion(service, path, drawn, model, question, pick);
};

const checkQuestion = async (
  service: TestService,
  path: string,
  drawn: Stream,
  model: Model,
  question: TrendsQuestion,
  pick: number,
): Promise<void> => {
  const headers = { 'X-Test-Now': now };
  const parameters = trendsParameters(question);
  const answer = await service.call('GET', path, { query: { ...parameters, include: 'insight' }, headers });
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  const lines = (answer.body as { insight: { series: Line[] } }).insight.series;
  for (const [series, asked] of question.series.entries()) {
    const naive = naiveTrends(model, drawn, question, asked);
    const mine = lines.filter(({ order }) => order === series);
    compareLines(asked.math, naive, mine);
    const line = naive[pick % Math.max(1, naive.length)];
    const point = line?.points[pick % Math.max(1, line.points.length)];
    if (!line || !point) continue;
    const people = await walk<Person>(
      service,
      path,
      {
        ...parameters,
        series: String(series),
        include: 'persons',
        limit: '2',
        ...(point.day === null ? {} : { day: point.day }),
        ...(line.value === null ? {} : { breakdown_value: JSON.stringify(line.value) }),
      },
      headers,
    );
    comparePeople(asked.math, point, people);
  }
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
    const wanted = points.length === 0 && !line?.data ? [0] : points.map(({ number }) => number);
    if (data.length !== wanted.length || wanted.some((number, at) => differs(number, data[at] ?? NaN)))
      throw new Error(`${math} of ${valueOf(value)}: ${JSON.stringify(data)} in place of ${JSON.stringify(wanted)}`);
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
    [...people].some(([name, value]) => math !== 'first_time_for_user' && differs(value, got.get(name) ?? NaN));
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
