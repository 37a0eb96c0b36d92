import { type TrendsForm } from '../../analytics/trends/trends.dto.js';
import { displays } from '../../analytics/trends/trends.parameters.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { requireList, requireObject } from '../../platform/fields/values.js';
import { seriesOf, seriesShown } from '../reading/entities.js';
import {
  becomes,
  objectOf,
  presentation,
  readNodeFields,
  refused,
  works,
  type NodeShape,
} from '../reading/node-fields.js';
import { breakdownFilter, compareFilter, insightBasics, legend } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { asHeatmap, calendarHeatmapFilter } from './heatmap.js';
import { pointTexts, shownBreakdownValue, type InsightNode } from './insight-node.js';

/** One of several formulas, each of which is a question of its own. */
export interface NamedFormula {
  readonly formula: unknown;
  readonly name: string | null;
  readonly attr: string;
}

const maxFormulas = 10;

const formulaNode: NodeShape = { formula: becomes('formula'), custom_name: becomes('name') };

const readFormulas = (value: unknown, attr: string, into: Translation): void => {
  into.shown.formulas = requireList(value, attr, maxFormulas).map((one, at): NamedFormula => {
    if (typeof one === 'string') return { formula: one, name: null, attr: `${attr}.${at}` };
    const node = into.inside(`formulas.${at}`);
    readNodeFields(formulaNode, requireObject(one, `${attr}.${at}`), `${attr}.${at}`, node);
    const { formula, name } = node.params;
    return { formula, name: typeof name === 'string' ? name : null, attr: `${attr}.${at}.formula` };
  });
};

/** Displays that differ from one of ours only as a picture. */
const sameDisplays: Readonly<Record<string, keyof typeof displays>> = {
  Auto: 'ActionsLineGraph',
  ActionsStackedBar: 'ActionsBar',
  ActionsUnstackedBar: 'ActionsBar',
  Metric: 'ActionsLineGraph',
  SlopeGraph: 'ActionsLineGraph',
};

/** The numbers of each hour of each day of the week. */
const heatmapDisplay = 'CalendarHeatmap';

const trendsFilter: NodeShape = {
  ...legend,
  smoothingIntervals: becomes('smoothing_intervals'),
  formulaNodes: works(readFormulas, 'each is answered as a question of its own', (from) => {
    const formula = from.take('formula');
    return formula === undefined ? undefined : [{ formula }];
  }),
  formulas: works(readFormulas, 'each is answered as a question of its own'),
  formula: becomes('formula'),
  display: works(
    (value, attr, into) => {
      if (value === heatmapDisplay) return asHeatmap(into, 'display', attr);
      const known = typeof value === 'string' && Object.hasOwn(sameDisplays, value) ? sameDisplays[value] : value;
      into.set('display', known, attr);
    },
    `${[...Object.keys(displays), ...Object.keys(sameDisplays), heatmapDisplay].join(', ')}`,
    (from) => from.take('display'),
  ),
  breakdown_histogram_bin_count: becomes('breakdown_histogram_bin_count'),
  compare: becomes('compare', 'the old place of `compareFilter.compare`'),
  showAlertThresholdLines: presentation,
  aggregationAxisFormat: presentation,
  aggregationAxisPrefix: presentation,
  aggregationAxisPostfix: presentation,
  decimalPlaces: presentation,
  minDecimalPlaces: presentation,
  xAxisLabel: presentation,
  yAxisLabel: presentation,
  showLabelsOnSeries: presentation,
  showPercentStackView: presentation,
  stackBreakdownValues: presentation,
  yAxisScaleType: presentation,
  showMultipleYAxes: presentation,
  hiddenLegendIndexes: presentation,
  resultCustomizationBy: presentation,
  goalLines: presentation,
  showConfidenceIntervals: presentation,
  confidenceLevel: presentation,
  showTrendLines: presentation,
  showMovingAverage: presentation,
  movingAverageIntervals: presentation,
  detailedResultsAggregationType: presentation,
  excludeBoxPlotOutliers: presentation,
  hideWeekends: presentation,
  showAnnotations: presentation,
  metricShowChange: presentation,
  metricChangeIncreaseColor: presentation,
  metricChangeDecreaseColor: presentation,
  metricColorByDirection: presentation,
  metricLineIncreaseColor: presentation,
  metricLineDecreaseColor: presentation,
  metricSummary: presentation,
};

const fields: NodeShape = {
  ...insightBasics,
  interval: becomes('interval'),
  series: seriesOf('trends'),
  compareFilter: objectOf(compareFilter),
  trendsFilter: objectOf(trendsFilter),
  breakdownFilter: objectOf(breakdownFilter),
  breakdown: objectOf(breakdownFilter),
  calendarHeatmapFilter: objectOf(calendarHeatmapFilter),
  conversionGoal: refused('count the goal as a series, and divide with a formula'),
};

/** The question of each formula. One question without a formula counts the series themselves. */
export const formulasOf = ({ shown, params }: Translation): readonly NamedFormula[] => {
  const formulas = (shown.formulas ?? []) as readonly NamedFormula[];
  const isEmpty = formulas.find(({ formula }) => typeof formula !== 'string' || formula === '');
  if (isEmpty) throw invalidInput(`${isEmpty.attr} must be a formula, such as A / B`, isEmpty.attr);
  return formulas.length > 0 ? formulas : [{ formula: params.formula ?? null, name: null, attr: '' }];
};

export const trendsNode: InsightNode = {
  insight: 'trends',
  fields,
  defaults: {},
  present: (insight, translation) => {
    const { series } = insight as TrendsForm;
    const { params, shown } = translation;
    const isOfFormula = typeof params.formula === 'string';
    const isSplit = series.some(({ breakdown_value: value }) => value !== null);
    const isRest = (value: unknown): boolean => isSplit && params.breakdown_type !== 'cohort' && value === 'Other';
    const lines = shown.hidesOther === true ? series.filter((line) => !isRest(line.breakdown_value)) : series;
    return {
      hasMore: series.some((line) => isRest(line.breakdown_value)),
      results: lines.map((line) => ({
        action: isOfFormula ? null : seriesShown(translation, line.order),
        order: line.order,
        label: line.label,
        count: line.count,
        ...('days' in line
          ? { data: line.data, days: line.days, labels: pointTexts(line.days) }
          : { data: [], days: [], labels: [], aggregated_value: line.aggregated_value }),
        ...(isSplit && { breakdown_value: shownBreakdownValue(line.breakdown_value, translation) }),
        ...(line.compare_label !== null && { compare: true, compare_label: line.compare_label }),
      })),
    };
  },
};

export const trendsTable = {
  TrendsQuery: fields,
  TrendsFilter: trendsFilter,
  TrendsFormulaNode: formulaNode,
} satisfies Record<string, NodeShape>;
