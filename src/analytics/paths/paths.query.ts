import { invalidInput } from '../../common/errors/problem.js';
import { type ProjectContext } from '../../common/project-context.js';
import { intervals } from '../../common/time/intervals.js';
import { readRange, type DateRange } from '../../common/time/range.js';
import { type Filter } from '../../filters/filter.js';
import { readCommonFilter } from '../asking/common.js';
import { filtersOf, readEntities, type Entity } from '../asking/entity.js';
import { demandFields, demandList, textField } from '../asking/fields.js';
import { type Params } from '../asking/question-params.js';
import { readFunnelPaths, type FunnelPaths } from './funnel-paths.js';
import { readPathKey, type PathKey } from './path-key.js';

export const itemTypes = ['$pageview', '$screen', 'custom_event'] as const;
export const maxStepLimit = 20;
export const maxEdgeLimit = 1000;
export const maxPatterns = 100;
const maxWeight = 1_000_000_000;
const maxItemLength = 4000;

/** Which events become items, by name; `custom`: all whose names do not begin with a dollar sign. */
export interface IncludedEvents {
  readonly custom: boolean;
  readonly names: readonly string[];
}

/** A rewrite of items. `attr` is the parameter that brought it, whose fault it is when the engine refuses it. */
export interface CleaningRule {
  readonly regex: string;
  readonly alias: string;
  readonly attr: string;
}

/** How events become items. */
export interface ItemsQuery {
  /** Null: all. */
  readonly included: IncludedEvents | null;
  /** Events that match none of them are left out; without any nothing is. */
  readonly events: readonly Entity[];
  readonly filter: Filter;
  readonly cleaning: readonly CleaningRule[];
  readonly groupings: readonly string[];
  readonly excluded: readonly string[];
}

/** Which part of a path is looked at. */
export interface CutQuery {
  readonly startPoint: string | null;
  readonly endPoint: string | null;
  readonly stepLimit: number;
}

export interface PathsQuery extends ItemsQuery, CutQuery {
  readonly range: DateRange;
  readonly edgeLimit: number;
  readonly minEdgeWeight: number | null;
  readonly maxEdgeWeight: number | null;
  /** Whose persons; all null: of every path. */
  readonly selected: SelectedPaths;
  readonly funnel: FunnelPaths | null;
}

/** An edge, or one of its ends; `dropoff`: where a path ends, whatever else was asked. */
export interface SelectedPaths {
  readonly start: PathKey | null;
  readonly end: PathKey | null;
  readonly dropoff: PathKey | null;
}

export const readPaths = (params: Params, project: ProjectContext, now: Date): PathsQuery => {
  const interval = params.choice('interval', intervals, 'day');
  const funnel = readFunnelPaths(params, project, now);
  return {
    range: readRange({ date_from: params.text('date_from'), date_to: params.text('date_to') }, interval, now, project),
    filter: readCommonFilter(params, project),
    included: readIncluded(params),
    // Beside a funnel they are its steps.
    events: funnel === null ? readEntities(params.json('events'), 'events') : [],
    cleaning: readCleaning(params, project),
    groupings: readTexts(params, 'path_groupings').filter((pattern) => pattern !== ''),
    excluded: readTexts(params, 'exclude_events'),
    startPoint: readItem(params, 'start_point'),
    endPoint: readItem(params, 'end_point'),
    stepLimit: params.integer('step_limit', { min: 2, max: maxStepLimit, fallback: 5 }),
    ...readEdges(params),
    selected: readSelected(params),
    funnel,
  };
};

const readTexts = (params: Params, name: string): string[] => {
  const texts = params.texts(name) ?? [];
  if (texts.length > maxPatterns) throw invalidInput(`${name} must have at most ${maxPatterns} entries`, name);
  const tooLong = texts.findIndex(({ length }) => length > maxItemLength);
  if (tooLong < 0) return texts;
  throw invalidInput(`${name} must hold texts of at most ${maxItemLength} characters`, `${name}.${tooLong}`);
};

const readItem = (params: Params, name: string): string | null => {
  const item = params.text(name) ?? null;
  if (item === null || item.length <= maxItemLength) return item;
  throw invalidInput(`${name} must have at most ${maxItemLength} characters`, name);
};

const readIncluded = (params: Params): IncludedEvents | null => {
  const types = ['include_event_types', 'path_type'].flatMap((name) =>
    readTexts(params, name).map((text, at) => {
      const type = itemTypes.find((known) => known === text);
      if (type !== undefined) return type;
      throw invalidInput(`${name} must be of ${itemTypes.join(', ')}`, name === 'path_type' ? name : `${name}.${at}`);
    }),
  );
  const single = ['include_custom_events', 'custom_events'].flatMap((name) => readTexts(params, name));
  if (types.length === 0 && single.length === 0) return null;
  const names = [...types.filter((type) => type !== 'custom_event'), ...single];
  return { custom: types.includes('custom_event'), names: [...new Set(names)] };
};

const readCleaning = (params: Params, project: ProjectContext): CleaningRule[] => {
  const name = 'local_path_cleaning_filters';
  const local = demandList(params.json(name), name, maxPatterns).map((given, at): CleaningRule => {
    const attr = `${name}.${at}`;
    const fields = demandFields(given, attr, ['regex', 'alias']);
    const regex = textField(fields, 'regex', attr);
    if (!regex) throw invalidInput(`${attr}.regex must be a regular expression`, `${attr}.regex`);
    return { regex, alias: textField(fields, 'alias', attr) ?? '', attr };
  });
  if (!params.boolean('path_replacements')) return local;
  const own = project.pathCleaningFilters.map((rule) => ({ ...rule, attr: 'path_replacements' }));
  return [...own, ...local];
};

const readEdges = (params: Params): Pick<PathsQuery, 'edgeLimit' | 'minEdgeWeight' | 'maxEdgeWeight'> => {
  const minEdgeWeight = params.optionalInteger('min_edge_weight', { min: 0, max: maxWeight }) ?? null;
  const maxEdgeWeight = params.optionalInteger('max_edge_weight', { min: 0, max: maxWeight }) ?? null;
  if (minEdgeWeight !== null && maxEdgeWeight !== null && maxEdgeWeight < minEdgeWeight) {
    throw invalidInput(`max_edge_weight must be at least min_edge_weight, ${minEdgeWeight}`, 'max_edge_weight');
  }
  return {
    edgeLimit: params.integer('edge_limit', { min: 1, max: maxEdgeLimit, fallback: 50 }),
    minEdgeWeight,
    maxEdgeWeight,
  };
};

const readSelected = (params: Params): SelectedPaths => {
  const start = readPathKey(params, 'path_start_key');
  const end = readPathKey(params, 'path_end_key');
  const dropoff = readPathKey(params, 'path_dropoff_key');
  if (dropoff === null && start !== null && end !== null && end.step !== start.step + 1) {
    throw invalidInput(
      `path_end_key must be the step behind that of path_start_key, such as ${start.step + 1}_/pricing`,
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
