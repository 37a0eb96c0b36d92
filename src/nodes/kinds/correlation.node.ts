import { type CorrelationDto, type CorrelationRowDto } from '../../analytics/correlation/correlation.dto.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type NodeShape, becomes, works, writeNodeFields } from '../reading/node-fields.js';
import { nodeBasics, textsOf } from '../reading/shared-fields.js';
import { readSource } from '../reading/sources.js';
import { type Translation } from '../reading/translation.js';
import { funnelsActors } from './selections.js';
import { funnelsNode } from './funnels.node.js';
import { type InsightNode } from './insight-node.js';

const readFunnel = (value: unknown, attr: string, into: Translation): void => {
  readSource(value, attr, into, { FunnelsActorsQuery: funnelsActors });
  const split = ['breakdown', 'breakdowns'].find((name) => into.params[name] !== undefined);
  if (split === undefined) return;
  const place = into.attrOf(split, attr);
  throw invalidInput(`${place} has no meaning here: a correlation does not split its funnel`, place);
};

const fields: NodeShape = {
  ...nodeBasics,
  source: works(readFunnel, 'a FunnelsActorsQuery, whose step has no effect', (from) => ({
    kind: 'FunnelsActorsQuery',
    source: { kind: 'FunnelsQuery', ...writeNodeFields(funnelsNode.fields, from) },
  })),
  funnelCorrelationType: becomes('funnel_correlation_type'),
  funnelCorrelationExcludeEventNames: textsOf('funnel_correlation_exclude_event_names'),
  funnelCorrelationEventNames: textsOf('funnel_correlation_event_names'),
  funnelCorrelationEventExcludePropertyNames: textsOf('funnel_correlation_event_exclude_property_names'),
  funnelCorrelationNames: textsOf('funnel_correlation_names'),
  funnelCorrelationExcludeNames: textsOf('funnel_correlation_exclude_names'),
};

/** An event, a property with its value, or an event with both, in one text. */
const nameOfRow = ({ event, property, value }: CorrelationRowDto): string =>
  [event, property, value].filter((part) => part !== null).join('::');

export const correlationNode: InsightNode = {
  insight: 'correlation',
  fields,
  defaults: {},
  present: (insight) => {
    const { correlations, skewed } = insight as CorrelationDto;
    const events = correlations.map((row) => ({
      event: { event: nameOfRow(row), properties: {}, elements: [] },
      success_count: row.success_count,
      failure_count: row.failure_count,
      odds_ratio: row.odds_ratio,
      correlation_type: row.correlation_type,
    }));
    return { results: { events, skewed } };
  },
};

export const correlationTable = { FunnelCorrelationQuery: fields } satisfies Record<string, NodeShape>;
