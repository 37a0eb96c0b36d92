import { type FunnelByValueDto, type FunnelDto, type FunnelStepDto } from '../../src/analytics/funnel/funnel.dto.js';
import { type LifecycleDto } from '../../src/analytics/lifecycle/lifecycle.dto.js';
import { type PathDto } from '../../src/analytics/paths/paths.dto.js';
import { type RetentionDto } from '../../src/analytics/retention/retention.dto.js';
import { type StickinessDto } from '../../src/analytics/stickiness/stickiness.dto.js';
import { type TrendsDto } from '../../src/analytics/trends/trends.dto.js';

/** The numbers of an answer by what they are of, without zeros. */
export type Numbers = ReadonlyMap<string, number>;

type Answered =
  | (Partial<Pick<FunnelDto, 'steps'> & Pick<FunnelByValueDto, 'breakdown'>> & { kind: 'funnel' })
  | (LifecycleDto & { kind: 'lifecycle' })
  | (PathDto & { kind: 'path' })
  | (RetentionDto & { kind: 'retention' })
  | (StickinessDto & { kind: 'stickiness' })
  | (TrendsDto & { kind: 'trends' });

const numbers = (entries: readonly (readonly [key: string, value: number])[]): Numbers =>
  new Map(entries.filter(([, value]) => value !== 0));

const steps = (of: readonly FunnelStepDto[] = [], value = ''): [string, number][] =>
  of.map(({ order, count }) => [`${value}${order + 1} n`, count]);

export const numbersOfOurs = (answer: object): Numbers => {
  const insight = answer as Answered;
  switch (insight.kind) {
    case 'trends':
      return numbers(
        insight.series.flatMap(({ days = [], data = [], breakdown_value }) =>
          days.map((day, at) => [[day, breakdown_value, 'n'].filter(Boolean).join(' '), data[at] ?? 0] as const),
        ),
      );
    case 'funnel':
      return numbers([
        ...steps(insight.steps),
        ...(insight.steps ?? []).flatMap((step): [string, number][] => [
          [`${step.order + 1} average`, step.average_conversion_time ?? 0],
          [`${step.order + 1} median`, step.median_conversion_time ?? 0],
        ]),
        ...(insight.breakdown ?? []).flatMap((one) => steps(one.steps, `${String(one.value)} `)),
      ]);
    case 'retention':
      return numbers(
        insight.matrix.flatMap((row, start) =>
          row.map((count, later) => [`${insight.dates[start]} ${later} n`, count] as const),
        ),
      );
    case 'lifecycle':
      return numbers(
        (['new', 'returning', 'resurrecting', 'dormant'] as const).flatMap((state) =>
          insight.days.map((day, at) => [`${day} ${state} n`, Math.abs(insight[state][at] ?? 0)] as const),
        ),
      );
    case 'stickiness':
      return numbers(
        insight.series.flatMap(({ days, data }) => days.map((day, at) => [`${day} n`, data[at] ?? 0] as const)),
      );
    case 'path':
      return numbers(
        insight.edges.flatMap(({ source, target, value, persons, average_conversion_time }) => [
          [`${source} ${target} n`, value] as const,
          [`${source} ${target} persons`, persons] as const,
          [`${source} ${target} average`, average_conversion_time] as const,
        ]),
      );
  }
};

export type ReferenceRow = Readonly<Record<string, string | number>>;

/** Columns before `n` say what the numbers from there on are of. */
export const numbersOfReference = (rows: readonly ReferenceRow[]): Numbers =>
  numbers(
    rows.flatMap((row) => {
      const columns = Object.entries(row);
      const first = columns.findIndex(([name]) => name === 'n');
      const key = columns.slice(0, first).map(([, value]) => value);
      return columns.slice(first).map(([name, value]) => [[...key, name].join(' '), Number(value)] as const);
    }),
  );

/** Sums of the same numbers in another order differ in their last digits. */
const isSame = (a = 0, b = 0): boolean => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));

/** Times of different answers compare nothing. */
export const assertSame = (question: string, ours: Numbers, reference: Numbers): void => {
  if (ours.size === 0) throw new Error(`${question}: there is no answer`);
  const different = [...new Set([...ours.keys(), ...reference.keys()])].filter(
    (key) => !isSame(ours.get(key), reference.get(key)),
  );
  if (different.length === 0) return;
  const shown = different.slice(0, 5).map((key) => `${key}: ${ours.get(key) ?? 0} and ${reference.get(key) ?? 0}`);
  throw new Error(
    `${question}: ours and the other layout’s answer differ in ${different.length} numbers, such as ${shown.join('; ')}`,
  );
};
