import { type PathDto } from '../../analytics/paths/paths.dto.js';
import {
  becomes,
  objectOf,
  presentation,
  readNodeFields,
  works,
  writeNodeFields,
  type NodeShape,
} from '../reading/node-fields.js';
import { isOff } from '../reading/off.js';
import { insightBasics, textsOf } from '../reading/shared-fields.js';
import { type Translation } from '../reading/translation.js';
import { type Unwritten, writeAll } from '../reading/unwritten.js';
import { isFields, type Fields } from '../../platform/fields/values.js';
import { funnelsNode } from './funnels.node.js';
import { type InsightNode } from './insight-node.js';

const pathsFilter: NodeShape = {
  includeEventTypes: textsOf('include_event_types'),
  startPoint: becomes('start_point'),
  endPoint: becomes('end_point'),
  pathGroupings: textsOf('path_groupings'),
  excludeEvents: textsOf('exclude_events'),
  edgeLimit: becomes('edge_limit'),
  stepLimit: becomes('step_limit'),
  pathReplacements: becomes('path_replacements'),
  localPathCleaningFilters: becomes('local_path_cleaning_filters'),
  minEdgeWeight: becomes('min_edge_weight'),
  maxEdgeWeight: becomes('max_edge_weight'),
  pathStartKey: becomes('path_start_key', 'selects persons'),
  pathEndKey: becomes('path_end_key', 'selects persons'),
  pathDropoffKey: becomes('path_dropoff_key', 'selects persons'),
  pathsHogQLExpression: becomes(
    'paths_hogql_expression',
    'with `hogql` among `includeEventTypes`; an event without a value is no item',
  ),
  showFullUrls: presentation,
};

const readFunnelOfPaths = (value: unknown, attr: string, into: Translation): void => {
  const funnel = into.inside('funnel_filter');
  readNodeFields(funnelsNode.fields, value, attr, funnel);
  into.set('funnel_filter', funnel.params, attr);
};

/** The parameters of the question describe the funnel as far as `funnel_filter` does not. */
const writeFunnelOfPaths = (from: Unwritten): Fields | undefined => {
  const { funnel_filter: own, ...rest } = from.takeRest();
  const params = { ...rest, ...(isFields(own) && own) };
  if (isOff(params)) return undefined;
  return writeAll(params, (funnel) => ({ kind: 'FunnelsQuery', ...writeNodeFields(funnelsNode.fields, funnel) }));
};

const funnelPathsFilter: NodeShape = {
  funnelPathType: becomes('funnel_paths'),
  funnelStep: becomes('funnel_step'),
  funnelSource: works(readFunnelOfPaths, '', writeFunnelOfPaths),
};

const fields: NodeShape = {
  ...insightBasics,
  pathsFilter: objectOf(pathsFilter),
  funnelPathsFilter: objectOf(funnelPathsFilter),
};

export const pathsNode: InsightNode = {
  insight: 'paths',
  fields,
  defaults: {},
  present: (insight) => ({ results: (insight as PathDto).edges }),
};

export const pathsTable = {
  PathsQuery: fields,
  PathsFilter: pathsFilter,
  FunnelPathsFilter: funnelPathsFilter,
} satisfies Record<string, NodeShape>;
