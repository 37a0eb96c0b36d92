import { personName } from './model.js';
import {
  naiveByValue,
  naiveRetention,
  retentionParameters,
  retentionQuestion,
  type NaiveRetention,
  type RetentionQuestion,
} from './retention.js';
import { checkStreamScene, streamSceneOf, type StreamPoint, type StreamScene } from './stream-scene.js';
import { stream, withUrls } from './stream.js';
import { fewOf, twoAtOnce, walk } from './walk.js';
import { type ServiceHandle } from '../service-handle.js';

/** Questions end about one of the moments of the stream. */
export const retentionScene = streamSceneOf(stream({ minEvents: 10, maxEvents: 40 }).map(withUrls), retentionQuestion);

interface Numbers {
  readonly matrix: readonly (readonly number[])[];
  readonly rates: readonly (readonly number[])[];
  readonly mean: readonly number[] | null;
}

interface Insight extends Numbers {
  readonly labels: readonly string[];
  readonly dates: readonly string[];
  readonly breakdown?: readonly (Numbers & { readonly value: string | readonly string[] })[];
}

interface Person {
  readonly distinct_ids: readonly string[];
  readonly appearances: readonly number[];
}

/** Throws where an answer is not what following each person gives. The number of rows with persons that it looked at. */
export const checkRetention = (service: ServiceHandle, scene: StreamScene<RetentionQuestion>): Promise<number> =>
  checkStreamScene(service, 'retention', scene, checkQuestion);

const checkQuestion = async (
  question: RetentionQuestion,
  { service, path, drawn, model, pick }: StreamPoint,
): Promise<number> => {
  const naive = naiveRetention(model, drawn, question);
  const parameters = retentionParameters(question);
  const fail = (what: string, got: unknown, expected: unknown): never => {
    throw new Error(
      `${what}: ${JSON.stringify(got)} in place of ${JSON.stringify(expected)}: ${JSON.stringify(parameters)}`,
    );
  };
  const demand = (what: string, got: unknown, expected: unknown) => {
    if (JSON.stringify(got) !== JSON.stringify(expected)) fail(what, got, expected);
  };
  const answer = await service.call('GET', path, { query: { ...parameters, include: 'insight' } });
  if (answer.status !== 200) return fail('status', answer.body, 200);
  const insight = (answer.body as { insight: Insight }).insight;
  demand('labels', [insight.labels, insight.dates], [naive.labels, naive.dates]);
  const rounded = (numbers: readonly number[] | null) => numbers?.map((number) => Math.round(number * 1e9)) ?? null;

  const check = async (
    of: string,
    { matrix, rates, mean }: Numbers,
    naive: NaiveRetention,
    selected: Readonly<Record<string, string>>,
    rowsSeen: number,
  ): Promise<number> => {
    demand(`matrix${of}`, matrix, matrixOf(naive));
    demand(
      `rates${of}`,
      rates,
      matrix.map((row) => row.map((count) => count / Math.max(1, row[0] ?? 0))),
    );
    demand(`mean${of}`, rounded(mean), rounded(meanOf(question.mean, matrix)));

    // Rows that no person began in look all the same: one of them is enough.
    const begun = [...naive.rows.keys()].filter((place) => (naive.rows[place]?.size ?? 0) > 0);
    const empty = [...naive.rows.keys()].filter((place) => !begun.includes(place));
    await twoAtOnce(
      [...fewOf(begun, pick, rowsSeen), ...fewOf(empty, pick, Math.min(1, rowsSeen))],
      async (row, at) => {
        const query = { ...parameters, ...selected, selected_interval: String(row), include: 'persons' };
        const limit = at === 0 ? '2' : '1000';
        const people = await walk<Person>(service, path, { ...query, limit });
        comparePeople(people, naive.rows[row] ?? new Map(), (got, expected) =>
          demand(`persons of row ${row}${of}`, got, expected),
        );
        demand(`number of row ${row}${of}`, people.length, matrix[row]?.[0]);
        const later = pick % (matrix[row]?.length ?? 1);
        const back = await walk<Person>(service, path, { ...query, return_interval: String(later), limit });
        demand(
          `cell ${later} of row ${row}${of}`,
          namesOf(back),
          namesOf(people.filter((one) => one.appearances[later] === 1)),
        );
        demand(`number of cell ${later} of row ${row}${of}`, back.length, matrix[row]?.[later]);
      },
    );
    return begun.length;
  };

  let seen = await check('', insight, naive, {}, 2);
  if (question.breakdown === null) return seen;
  const { breakdown = [] } = insight;
  const byValue = naiveByValue(model, drawn, question, question.breakdown);
  const listed = breakdown.map(({ value }) => (typeof value === 'string' ? [value] : value));
  demand(
    'values',
    listed,
    byValue.map(({ value }) => value),
  );
  const walked = [...fewOf([...byValue.keys()], pick, 1), byValue.length - 1];
  for (const [at, one] of byValue.entries()) {
    const numbers = breakdown[at];
    if (!numbers) return fail('values', breakdown.length, byValue.length);
    const selected = { breakdown_value: JSON.stringify(one.value) };
    seen += await check(` of ${JSON.stringify(one.value)}`, numbers, one.naive, selected, walked.includes(at) ? 1 : 0);
  }
  return seen;
};

const namesOf = (people: readonly Person[]): string[] => people.map(personName).sort();

const matrixOf = ({ rows, lengths }: NaiveRetention): number[][] =>
  rows.map((row, place) =>
    Array.from(
      { length: lengths[place] ?? 0 },
      (_, later) => [...row.values()].filter((appearances) => appearances[later] === 1).length,
    ),
  );

const meanOf = (mean: RetentionQuestion['mean'], matrix: Insight['matrix']): number[] | null => {
  if (mean === 'none') return null;
  const begun = matrix.filter(([first]) => first !== undefined && first > 0);
  return (matrix[0] ?? []).map((_, later) => {
    let [above, below] = [0, 0];
    for (const row of begun.filter(({ length }) => length > later)) {
      const [first = 0, count = 0] = [row[0], row[later]];
      above += mean === 'weighted' ? count : count / first;
      below += mean === 'weighted' ? first : 1;
    }
    return below === 0 ? 0 : above / below;
  });
};

const comparePeople = (
  people: readonly Person[],
  row: ReadonlyMap<string, readonly number[]>,
  demand: (got: unknown, expected: unknown) => void,
): void => {
  const byName = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]) => (a < b ? -1 : 1);
  demand(people.map((person) => [personName(person), person.appearances] as const).sort(byName), [...row].sort(byName));
  const sums = people.map(({ appearances }) => appearances.reduce((sum, one) => sum + one, 0));
  demand(
    sums,
    [...sums].sort((a, b) => b - a),
  );
};
