import { type TrendsForm } from '../../analytics/trends/trends.dto.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Fields } from '../../platform/fields/values.js';
import { seriesOf, seriesShown } from '../reading/entities.js';
import { objectOf, refused, withoutEffect, works, type NodeShape } from '../reading/node-fields.js';
import { insightBasics } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { type InsightNode } from './insight-node.js';

/** Days of the week, Monday is 1, and hours of the day, both in the time zone of the project. */
const splits = {
  data: ['toDayOfWeek(timestamp)', 'toHour(timestamp)'],
  rows: ['toDayOfWeek(timestamp)'],
  columns: ['toHour(timestamp)'],
  all: [],
} as const;

const mostCells = 7 * 24;

type Part = keyof typeof splits;

export type HeatmapAnswers = Readonly<Record<Part, TrendsForm>>;

/** The questions about trends that a heatmap consists of. */
export const heatmapQuestions = Object.entries(splits).map(([part, expressions]) => ({
  part: part as Part,
  params: {
    display: 'ActionsTable',
    breakdowns: expressions.map((property) => ({ property, type: 'hogql' })),
    breakdown_limit: mostCells,
  },
}));

/** True if a node asks for a heatmap. */
export const isHeatmap = ({ shown }: Translation): boolean => shown.heatmap !== undefined;

export const asHeatmap = (into: Translation, form: 'query' | 'display', attr: string): void => {
  into.shown.heatmap = form;
  into.set('display', 'ActionsTable', attr);
};

const notIn = ['breakdown', 'breakdowns', 'compare', 'compare_to', 'formula', 'smoothing_intervals'];

/** Refuses what a heatmap does not have. */
export const assertHeatmap = (translation: Translation, attr: string): void => {
  const { params, shown } = translation;
  if (!isHeatmap(translation)) return;
  const other = notIn.find((name) => params[name] !== undefined && params[name] !== false);
  if (shown.formulas !== undefined || other !== undefined) {
    const place = translation.attrOf(other ?? '', `${attr}.trendsFilter.formulas`);
    throw invalidInput(`${place} is not possible in a heatmap`, place);
  }
  if (Array.isArray(params.events) && params.events.length > 1)
    throw invalidInput(`${attr}.series must have one entry in a heatmap`, `${attr}.series`);
};

interface Cell {
  readonly row: number;
  readonly column: number;
  readonly value: number;
}

const cellsOf = ({ series }: TrendsForm): { readonly at: readonly number[]; readonly value: number }[] =>
  series.map(({ breakdown_value: value, count }) => ({
    at: (Array.isArray(value) ? value : [value]).map(Number),
    value: count,
  }));

const inOrder = (a: Cell, b: Cell): number => a.row - b.row || a.column - b.column;

/** The answers to the questions of a heatmap, in the form of the reference product. */
export const presentHeatmap = (answers: HeatmapAnswers, translation: Translation): unknown => {
  const { data, rows, columns, all } = answers;
  const total = all.series[0]?.count ?? 0;
  const heatmap = {
    data: cellsOf(data)
      .map(({ at: [row = 0, column = 0], value }) => ({ row, column, value }))
      .sort(inOrder),
    rowAggregations: cellsOf(rows)
      .map(({ at: [row = 0], value }) => ({ row, value }))
      .sort((a, b) => a.row - b.row),
    columnAggregations: cellsOf(columns)
      .map(({ at: [column = 0], value }) => ({ column, value }))
      .sort((a, b) => a.column - b.column),
    allAggregations: total,
  };
  if (translation.shown.heatmap === 'query') return heatmap;
  const line: Fields = {
    action: seriesShown(translation, 0),
    label: all.series[0]?.label ?? null,
    data: [],
    count: total,
    aggregated_value: total,
    calendar_heatmap_data: heatmap,
  };
  return [line];
};

const engine = 'it tunes an engine that is not this one';

export const calendarHeatmapFilter: NodeShape = {
  bucketBySessionStart: refused('each event counts at its own time'),
  useWebAnalyticsPrecompute: withoutEffect(engine),
  dummy: withoutEffect('it has no meaning'),
};

const fields: NodeShape = {
  ...insightBasics,
  kind: works((_, attr, into) => asHeatmap(into, 'query', attr)),
  interval: withoutEffect('a heatmap has hours and days of the week'),
  series: seriesOf('trends'),
  calendarHeatmapFilter: objectOf(calendarHeatmapFilter),
  conversionGoal: refused('count the goal as the series'),
};

export const heatmapNode: InsightNode = {
  insight: 'trends',
  fields,
  defaults: {},
  present: () => ({ results: null }),
};

export const heatmapTable = {
  CalendarHeatmapQuery: fields,
  CalendarHeatmapFilter: calendarHeatmapFilter,
} satisfies Record<string, NodeShape>;
