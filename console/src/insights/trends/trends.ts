import { type Schemas } from '../../api/types';
import { lowered } from '../../filters/account-words';
import { type Actors } from '../actors';
import { letterOf, readEntities, type Entity } from '../question/entities';
import { mathLabel } from '../question/maths';
import { type Params } from '../question/params';

type Points = Schemas['TrendsSeriesDto'];
type Total = Schemas['TrendsTotalDto'];

export type TrendsSeries = Points | Total;

export type TrendsInsight = Omit<Schemas['TrendsDto'], 'series'> & { readonly series: readonly TrendsSeries[] };

export const hasPoints = (series: TrendsSeries): series is Points => 'days' in series;

/** The pictures of the page, by the `display` of the interface that draws them. */
export const displays = [
  { value: 'ActionsLineGraph', label: 'Line' },
  { value: 'ActionsBar', label: 'Stacked bars' },
  { value: 'ActionsAreaGraph', label: 'Stacked area' },
  { value: 'SmallMultiples', label: 'Small charts' },
  { value: 'GrowthRate', label: 'Growth rate' },
  { value: 'ActionsLineGraphCumulative', label: 'Running total' },
  { value: 'ActionsBarValue', label: 'Bars of totals' },
  { value: 'ActionsTable', label: 'Table' },
  { value: 'BoldNumber', label: 'Number' },
] as const;

export type Display = (typeof displays)[number]['value'];

/** Displays of the interface that the page draws as a similar one. */
const drawnAs: Readonly<Record<string, Display>> = { ActionsPie: 'ActionsBarValue', WorldMap: 'ActionsBarValue' };

export const displayOf = ({ display }: Params): Display =>
  displays.find(({ value }) => value === display)?.value ??
  (typeof display === 'string' ? drawnAs[display] : undefined) ??
  'ActionsLineGraph';

export const isPrevious = ({ compare_label }: TrendsSeries): boolean => compare_label === 'previous';

/** How a series counts, unless it counts events. */
const mathText = (entity: Entity | undefined, actors: Actors): string =>
  entity?.math === undefined || entity.math === 'total' ? '' : `, ${lowered(mathLabel(entity, actors))}`;

/** The names of the lines in legends and tables. Several series have their letters, because two may be about the same event. */
export const namesOf = ({ series }: TrendsInsight, params: Params, actors: Actors): string[] => {
  const entities = readEntities(params);
  const hasLetters = entities.length > 1 && params.formula === undefined;
  return series.map((one) => {
    const name = hasLetters ? `${letterOf(one.order)} ${one.label}${mathText(entities[one.order], actors)}` : one.label;
    return isPrevious(one) ? `${name} (previous)` : name;
  });
};

/**
 * The colour number of each series: a line of the previous range has that of its line in the current one, which is drawn
 * with the same order and value.
 */
export const colorIndexes = (all: readonly TrendsSeries[]): number[] => {
  const indexes = new Map<string, number>();
  return all.map(({ order, breakdown_value, label }) => {
    const key = JSON.stringify([order, breakdown_value, label]);
    const index = indexes.get(key) ?? indexes.size;
    indexes.set(key, index);
    return index;
  });
};
