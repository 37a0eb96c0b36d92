import { type LifecycleDto } from '../../analytics/lifecycle/lifecycle.dto.js';
import { states } from '../../analytics/lifecycle/lifecycle.parameters.js';
import { type Fields } from '../../platform/fields/values.js';
import { seriesOf, seriesShown } from '../reading/entities.js';
import { becomes, objectOf, presentation, refused, type NodeShape } from '../reading/node-fields.js';
import { insightBasics } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { pointTexts, type InsightNode } from './insight-node.js';

const lifecycleFilter: NodeShape = {
  showLegend: presentation,
  legendPosition: presentation,
  showValuesOnSeries: presentation,
  toggledLifecycles: presentation,
  showPercentagesOnSeries: presentation,
  stacked: presentation,
};

const fields: NodeShape = {
  ...insightBasics,
  interval: becomes('interval'),
  series: seriesOf('persons'),
  lifecycleFilter: objectOf(lifecycleFilter),
  customAggregationTarget: refused('lifecycle counts persons'),
};

const nameOfSeries = ({ params }: Translation): string => {
  const [entity] = (params.events ?? []) as readonly Fields[];
  const { custom_name: custom, name, id } = entity ?? {};
  return [custom, name, id].find((one): one is string => typeof one === 'string') ?? 'All events';
};

export const lifecycleNode: InsightNode = {
  insight: 'lifecycle',
  fields,
  defaults: {},
  present: (insight, translation) => {
    const answer = insight as LifecycleDto;
    const results = states.map((status) => ({
      action: seriesShown(translation, 0),
      label: `${nameOfSeries(translation)} - ${status}`,
      status,
      count: answer[status].reduce((sum, number) => sum + number, 0),
      data: answer[status],
      days: answer.days,
      labels: pointTexts(answer.days),
    }));
    return { results };
  },
};

export const lifecycleTable = {
  LifecycleQuery: fields,
  LifecycleFilter: lifecycleFilter,
} satisfies Record<string, NodeShape>;
