import { invalidInput, required } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type DateRange } from '../../platform/time/range.js';
import { type Filter } from '../../filters/reading/filter.js';
import {
  readCommonFilter,
  readGroupType,
  readEventsAndActions,
  readQuestionRange,
} from '../shared/common.parameters.js';
import { type Entity, filtersOf } from '../shared/entity.js';
import { type Params } from '../../filters/asking/questions.js';
import { type WrittenExpression } from '../../sql/ask/event-expressions.js';
import { readFunnelPaths, type FunnelPaths } from './funnel-paths.js';
import { type PathKey } from './path-key.js';
import { pathsParameters, readCleaningRules, type CleaningRule } from './paths.parameters.js';

/** The names of the events that become items; `custom`: all events whose names do not begin with a dollar sign. */
export interface IncludedEvents {
  readonly custom: boolean;
  readonly names: readonly string[];
  /** The item of all other events; null: they are no items. */
  readonly expression: string | null;
}

/** The rules by which events become items. */
export interface ItemsQuery {
  /** Null: all events. */
  readonly included: IncludedEvents | null;
  /** Only events that match one of these become items; an empty list includes all events. */
  readonly events: readonly Entity[];
  readonly filter: Filter;
  readonly cleaning: readonly CleaningRule[];
  readonly groupings: readonly string[];
  readonly excluded: readonly string[];
}

/** The part of each path that the question reads. */
export interface CutQuery {
  readonly startPoint: string | null;
  readonly endPoint: string | null;
  readonly stepLimit: number;
}

export interface PathsQuery extends ItemsQuery, CutQuery {
  readonly written: readonly WrittenExpression[];
  /** The index of the type of the groups that the question counts; null: it counts persons. */
  readonly groupType: number | null;
  readonly range: DateRange;
  readonly edgeLimit: number;
  readonly minEdgeWeight: number | null;
  readonly maxEdgeWeight: number | null;
  /** The selected persons; all null: the persons of every path. */
  readonly selected: SelectedPaths;
  readonly funnel: FunnelPaths | null;
}

/** An edge, or one end of an edge. `dropoff`, the end of a path, overrides the other two. */
export interface SelectedPaths {
  readonly start: PathKey | null;
  readonly end: PathKey | null;
  readonly dropoff: PathKey | null;
}

export const readPaths = (params: Params, project: ProjectContext, now: Date): PathsQuery => {
  const read = params.reader(pathsParameters);
  const interval = read('interval');
  const funnel = readFunnelPaths(params, project, now);
  const included = readIncluded(params);
  const text = included?.expression ?? null;
  return {
    written: text === null ? [] : [{ use: 'value', text, attr: 'paths_hogql_expression' }],
    range: readQuestionRange(params, interval, now, project),
    filter: readCommonFilter(params, project),
    groupType: readGroupType(params),
    included,
    // With a funnel the events are the steps of the funnel.
    events: funnel === null ? readEventsAndActions(params) : [],
    cleaning: readCleaning(params, project),
    groupings: read('path_groupings').filter((pattern) => pattern !== ''),
    excluded: read('exclude_events'),
    startPoint: read('start_point'),
    endPoint: read('end_point'),
    stepLimit: read('step_limit'),
    ...readEdges(params),
    selected: readSelected(params),
    funnel,
  };
};

const readIncluded = (params: Params): IncludedEvents | null => {
  const read = params.reader(pathsParameters);
  const types = [...read('include_event_types'), ...read('path_type')];
  const single = [...read('include_custom_events'), ...read('custom_events')];
  if (types.length === 0 && single.length === 0) return null;
  const names = [...types.filter((type) => type !== 'custom_event' && type !== 'hogql'), ...single];
  const expression = types.includes('hogql') ? (read('paths_hogql_expression') ?? '') : null;
  if (expression === '') throw required('paths_hogql_expression');
  return { custom: types.includes('custom_event'), names: [...new Set(names)], expression };
};

const readCleaning = (params: Params, project: ProjectContext): CleaningRule[] => {
  const read = params.reader(pathsParameters);
  const local = read('local_path_cleaning_filters');
  if (!read('path_replacements')) return local;
  return [...readCleaningRules(project.pathCleaningFilters, 'path_cleaning_filters'), ...local];
};

const readEdges = (params: Params): Pick<PathsQuery, 'edgeLimit' | 'minEdgeWeight' | 'maxEdgeWeight'> => {
  const read = params.reader(pathsParameters);
  const minEdgeWeight = read('min_edge_weight');
  const maxEdgeWeight = read('max_edge_weight');
  if (minEdgeWeight !== null && maxEdgeWeight !== null && maxEdgeWeight < minEdgeWeight) {
    throw invalidInput(`max_edge_weight must be at least min_edge_weight, ${minEdgeWeight}`, 'max_edge_weight');
  }
  return { edgeLimit: read('edge_limit'), minEdgeWeight, maxEdgeWeight };
};

const readSelected = (params: Params): SelectedPaths => {
  const read = params.reader(pathsParameters);
  const start = read('path_start_key');
  const end = read('path_end_key');
  const dropoff = read('path_dropoff_key');
  if (dropoff === null && start !== null && end !== null && end.step > start.step + 1) {
    throw invalidInput(
      `path_end_key must be the step after that of path_start_key, such as ${start.step + 1}_/pricing`,
      'path_end_key',
    );
  }
  return { start, end, dropoff };
};

export const filtersOfPaths = ({ filter, events, funnel }: PathsQuery): Filter[] => [
  filter,
  ...filtersOf(events),
  ...(funnel?.filters ?? []),
];
