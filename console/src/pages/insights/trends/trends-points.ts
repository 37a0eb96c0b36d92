import { formatNumber } from '../../../ui/format';
import { dayText } from '../answer/days';
import { type Point } from '../kind';
import { letterOf, readEntities, type Entity } from '../question/entities';
import { isOfPersons, needsProperty } from '../question/maths';
import { type Params } from '../question/params';
import { hasPoints, nameOf, type TrendsInsight, type TrendsSeries } from './trends';

const entityNames = ({ id, name }: Entity): string => name ?? (id === null ? 'any event' : String(id));

const selection = (series: TrendsSeries, day: string | null): Params => ({
  ...(day === null ? {} : { day }),
  // As JSON text, because a value such as 5 or [1,2) would be read as something else.
  ...(series.breakdown_value === null ? {} : { breakdown_value: JSON.stringify(series.breakdown_value) }),
  ...(series.compare_label === null ? {} : { compare_label: series.compare_label }),
});

/** The number in words, where it is not the number of the persons behind it. */
const inWords = (number: number, params: Params, entity: Entity | undefined): string | undefined => {
  const isSmoothed = typeof params.smoothing_intervals === 'number' && params.smoothing_intervals > 1;
  const isPersons = isOfPersons(entity?.math) && params.formula === undefined && !isSmoothed;
  if (isPersons) return undefined;
  const text = formatNumber(number);
  if (params.formula !== undefined) return `${text} is the result of ${String(params.formula)}`;
  if (isSmoothed) return `${text} is a mean of several points`;
  if (entity?.math === undefined || entity.math === 'total') return `${text} ${number === 1 ? 'event' : 'events'}`;
  return needsProperty(entity.math) ? `${text} is the ${entity.math} of ${entity.math_property}` : text;
};

/** The persons behind a point, or behind all points of a line. */
export const pointOf = (
  insight: TrendsInsight,
  params: Params,
  at: number,
  dayAt: number | null,
): Point | undefined => {
  const series = insight.series[at];
  if (!series) return undefined;
  const day = dayAt === null || !hasPoints(series) ? null : (series.days[dayAt] ?? null);
  const number = day !== null && dayAt !== null && hasPoints(series) ? (series.data[dayAt] ?? 0) : series.count;
  const entities = readEntities(params);
  const selected = selection(series, day);
  const title = day === null ? nameOf(series) : `${nameOf(series)}, ${dayText(day, insight.interval)}`;
  if (params.formula === undefined) {
    const words = day === null && hasPoints(series) ? sumInWords(number, params, entities[series.order]) : undefined;
    return {
      title,
      number: words ?? inWords(number, params, entities[series.order]),
      params: { ...selected, series: series.order },
    };
  }
  return {
    title,
    number: inWords(number, params, undefined),
    params: { ...selected, series: 0 },
    others: entities.map((entity, place) => ({
      label: `${letterOf(place)} ${entityNames(entity)}`,
      params: { ...selected, series: place },
    })),
  };
};

/** The sum of all points of a line counts a person at each point that has it. */
const sumInWords = (number: number, { smoothing_intervals, display }: Params, entity: Entity | undefined) =>
  isOfPersons(entity?.math) && smoothing_intervals === undefined && display !== 'ActionsLineGraphCumulative'
    ? `${formatNumber(number)} is the sum of the points, which counts a person once for each point`
    : undefined;
