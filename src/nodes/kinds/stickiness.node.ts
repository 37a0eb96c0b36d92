import { type StickinessDto, type StickinessSeriesDto } from '../../analytics/stickiness/stickiness.dto.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { seriesOf, seriesShown } from '../reading/entities.js';
import { becomes, objectIn, objectOf, presentation, works, type NodeShape } from '../reading/node-fields.js';
import { compareFilter, insightBasics, legend } from '../reading/shared-fields.js';
import { type InsightNode } from './insight-node.js';

const stickinessCriteria: NodeShape = { operator: becomes('operator'), value: becomes('value') };

const stickinessFilter: NodeShape = {
  ...legend,
  stickinessCriteria: objectIn('stickiness_criteria', stickinessCriteria),
  computedAs: works((value, attr, into) => {
    if (value !== 'cumulative' && value !== 'non_cumulative')
      throw invalidInput(`${attr} must be non_cumulative or cumulative`, attr);
    into.shown.isCumulative = value === 'cumulative';
  }, '`cumulative`: persons active in that many intervals or more'),
  compare: becomes('compare', 'the old place of `compareFilter.compare`'),
  display: presentation,
  showMultipleYAxes: presentation,
  hiddenLegendIndexes: presentation,
  resultCustomizationBy: presentation,
};

const fields: NodeShape = {
  ...insightBasics,
  interval: becomes('interval'),
  intervalCount: becomes('interval_count'),
  series: seriesOf('persons'),
  compareFilter: objectOf(compareFilter),
  stickinessFilter: objectOf(stickinessFilter),
};

/** Persons active in at least so many intervals: those of this number and of all greater ones. */
const cumulated = ({ data }: StickinessSeriesDto): number[] => {
  let sum = 0;
  return data.map((_, at) => (sum += data[data.length - 1 - at] ?? 0)).reverse();
};

export const stickinessNode: InsightNode = {
  insight: 'stickiness',
  fields,
  defaults: {},
  present: (insight, translation) => {
    const { series, interval } = insight as StickinessDto;
    const results = series.map((line) => ({
      action: seriesShown(translation, line.order),
      label: line.label,
      count: line.count,
      data: translation.shown.isCumulative === true ? cumulated(line) : line.data,
      days: line.days,
      labels: line.days.map((day) => `${day} ${interval}${day === 1 ? '' : 's'}`),
      ...(line.compare_label !== undefined && { compare: true, compare_label: line.compare_label }),
    }));
    return { results };
  },
};

export const stickinessTable = {
  StickinessQuery: fields,
  StickinessFilter: stickinessFilter,
  StickinessCriteria: stickinessCriteria,
} satisfies Record<string, NodeShape>;
