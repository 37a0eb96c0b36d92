import { formatNumber } from '../../ui/format';
import { dayText } from '../../charts/days';
import { nounBehind, type Actors } from '../actors';
import { type Point } from '../kind';
import { entityName, letterOf, readEntities, type Entity } from '../question/entities';
import { groupTypeOfMath, isOfActors, needsProperty } from '../question/maths';
import { type Params } from '../question/params';
import { hasPoints, namesOf, type TrendsInsight, type TrendsSeries } from './trends';

const selection = (series: TrendsSeries, day: string | null): Params => ({
  ...(day === null ? {} : { day }),
  // As JSON text, because a value such as 5 or [1,2) would be read as something else.
  ...(series.breakdown_value === null ? {} : { breakdown_value: JSON.stringify(series.breakdown_value) }),
  ...(series.compare_label === null ? {} : { compare_label: series.compare_label }),
});

/** The number in words, where it is not the number of those behind it. */
const inWords = (number: number, params: Params, entity: Entity | undefined): string | undefined => {
  const isSmoothed = typeof params.smoothing_intervals === 'number' && params.smoothing_intervals > 1;
  if (isOfActors(entity?.math) && params.formula === undefined && !isSmoothed) return undefined;
  const text = formatNumber(number);
  if (typeof params.formula === 'string') return `${text} is the result of ${params.formula}`;
  if (isSmoothed) return `${text} is a mean of several points`;
  if (entity?.math === undefined || entity.math === 'total') return `${text} ${number === 1 ? 'event' : 'events'}`;
  return needsProperty(entity.math) ? `${text} is the ${entity.math} of ${entity.math_property}` : text;
};

/** Finds the persons behind a point of a line, or behind all of its points. */
export type PointAt = (at: number, dayAt: number | null) => Point | undefined;

export const pointsOf = (insight: TrendsInsight, params: Params, actors: Actors): PointAt => {
  const entities = readEntities(params);
  const names = namesOf(insight, params, actors);
  return (at, dayAt) => {
    const series = insight.series[at];
    if (!series) return undefined;
    const day = dayAt === null || !hasPoints(series) ? null : (series.days[dayAt] ?? null);
    const number = day !== null && dayAt !== null && hasPoints(series) ? (series.data[dayAt] ?? 0) : series.count;
    const selected = selection(series, day);
    const name = names[at] ?? series.label;
    const title = day === null ? name : `${name} · ${dayText(day, insight.interval)}`;
    if (params.formula !== undefined) {
      return { title, number: inWords(number, params, undefined), ...ofFormula(entities, selected) };
    }
    const entity = entities[series.order];
    const isSum = day === null && hasPoints(series);
    const groupType = entity && groupTypeOfMath(entity);
    const [one] = nounBehind(actors, groupType);
    return {
      title,
      number: (isSum ? sumInWords(number, params, entity, one) : undefined) ?? inWords(number, params, entity),
      valueLabel: valueLabel(entity),
      groupType,
      params: { ...selected, series: series.order },
    };
  };
};

/** A formula has no persons of its own: those of each of its series are shown. */
const ofFormula = (entities: readonly Entity[], selected: Params): Pick<Point, 'params' | 'others'> => ({
  params: { ...selected, series: 0 },
  others: entities.map((entity, index) => ({
    label: `${letterOf(index)} ${entityName(entity)}`,
    params: { ...selected, series: index },
  })),
});

/** Names the number that each person of the list adds. */
const valueLabel = (entity: Entity | undefined): string | undefined => {
  if (entity?.math?.startsWith('first_')) return undefined;
  return needsProperty(entity?.math) ? `${entity?.math} of ${entity?.math_property}` : 'Events';
};

/** The sum of all points of a line counts each actor at each point that has it. */
const sumInWords = (
  number: number,
  { smoothing_intervals, display }: Params,
  entity: Entity | undefined,
  one: string,
) =>
  isOfActors(entity?.math) && smoothing_intervals === undefined && display !== 'ActionsLineGraphCumulative'
    ? `${formatNumber(number)} is the sum of the points, which counts each ${one} once for each point`
    : undefined;
