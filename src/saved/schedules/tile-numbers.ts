import { type FunnelForm } from '../../analytics/funnel/funnel.dto.js';
import { type LifecycleDto } from '../../analytics/lifecycle/lifecycle.dto.js';
import { type RetentionDto } from '../../analytics/retention/retention.dto.js';
import { type StickinessDto } from '../../analytics/stickiness/stickiness.dto.js';
import { type TrendsForm } from '../../analytics/trends/trends.dto.js';

/** A number of a tile, as a message has it. */
export interface TileNumber {
  readonly label: string;
  readonly value: number;
  /** The number of the period before, if the question compares. */
  readonly before: number | null;
  readonly unit: 'number' | 'percent' | 'seconds';
}

/** The answers whose numbers can be sent: others are lists, such as the ways of paths. */
export type NumbersAnswer = TrendsForm | FunnelForm | RetentionDto | StickinessDto | LifecycleDto;

const numberOf = (label: string, value: number): TileNumber => ({ label, value, before: null, unit: 'number' });
const percentOf = (label: string, value: number): TileNumber => ({ ...numberOf(label, value), unit: 'percent' });

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

type Compared = Pick<TrendsForm['series'][number], 'label' | 'order' | 'count'> & {
  readonly compare_label?: string | null;
};

const totalsOf = (series: readonly Compared[]): TileNumber[] =>
  series
    .filter((one) => one.compare_label !== 'previous')
    .map(({ label, order, count }) => {
      const before = series.find((one) => one.compare_label === 'previous' && one.order === order);
      return { ...numberOf(label, count), before: before?.count ?? null };
    });

const ofFunnel = (answer: FunnelForm): TileNumber[] => {
  if ('steps' in answer) {
    const steps = answer.steps.map(({ order, name, count }) => numberOf(`${order + 1}. ${name}`, count));
    return [...steps, percentOf('Converted', (answer.steps.at(-1)?.conversion_rate ?? 0) * 100)];
  }
  if ('bins' in answer) {
    const time = answer.average_conversion_time;
    return time === null ? [] : [{ ...numberOf('Average time to convert', time), unit: 'seconds' }];
  }
  if ('breakdown' in answer) return [];
  return answer.series.map(({ reached_from: from, reached_to: to }) =>
    percentOf('Converted', (100 * sum(to)) / Math.max(1, sum(from))),
  );
};

const ofRetention = ({ labels, mean, matrix }: RetentionDto): TileNumber[] => {
  const began = numberOf('Began', sum(matrix.map(([first]) => first ?? 0)));
  return [began, ...(mean ?? []).slice(1, 2).map((rate) => percentOf(`Back on ${labels[1] ?? ''}`, rate * 100))];
};

const ofLifecycle = (answer: LifecycleDto): TileNumber[] =>
  (['new', 'returning', 'resurrecting', 'dormant'] as const).map((status) =>
    numberOf(status[0]?.toUpperCase() + status.slice(1), Math.abs(sum(answer[status]))),
  );

/** The numbers of an answer without a breakdown; none if it has no few numbers. */
export const numbersIn = (answer: NumbersAnswer): TileNumber[] => {
  switch (answer.kind) {
    case 'trends':
    case 'stickiness':
      return totalsOf(answer.series);
    case 'funnel':
      return ofFunnel(answer);
    case 'retention':
      return ofRetention(answer);
    case 'lifecycle':
      return ofLifecycle(answer);
    default:
      return [];
  }
};
