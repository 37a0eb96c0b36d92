import { type Found } from './posthog.js';

/** The body that makes the record here. */
export interface Translated {
  readonly body: Readonly<Record<string, unknown>>;
  /** The parts that do not come over, in words for the report. */
  readonly left: readonly string[];
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

const isFilled = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.length > 0
    : typeof value === 'object' && value !== null && Object.keys(value).length > 0;

const tagsOf = ({ tags }: Found): readonly string[] => (isFilled(tags) ? ['tags'] : []);

export const cohortFrom = (cohort: Found): Translated => {
  const { filters, groups, query, is_static } = cohort;
  const described = { name: text(cohort.name), description: text(cohort.description) };
  if (is_static === true) return { body: { ...described, is_static: true, distinct_ids: [] }, left: [] };
  if (isFilled(filters)) return { body: { ...described, filters }, left: [] };
  return { body: { ...described, ...(isFilled(query) ? { query } : { groups }) }, left: [] };
};

/** A step with a condition that is not known here is refused, because without it the action would match more events. */
export const actionFrom = (action: Found): Translated => {
  const steps = Array.isArray(action.steps) ? (action.steps as Found[]) : [];
  const body = {
    name: text(action.name),
    description: text(action.description),
    steps: steps.map((step) => Object.fromEntries(Object.entries(step).filter(isCondition))),
  };
  return { body, left: [...tagsOf(action), ...(action.post_to_slack === true ? ['its message to Slack'] : [])] };
};

/** Texts and links of elements are always compared exactly here. */
const isCondition = ([name, value]: readonly [string, unknown]): boolean =>
  value !== null &&
  value !== '' &&
  name !== 'id' &&
  !(name.endsWith('_matching') && value === 'exact' && name !== 'url_matching');

/** Old insights have the parameters of the older interface, which are those of the routes here. */
const typesOfFilters: Readonly<Record<string, string>> = {
  TRENDS: 'trends',
  FUNNELS: 'funnel',
  RETENTION: 'retention',
  PATHS: 'paths',
  LIFECYCLE: 'lifecycle',
  STICKINESS: 'stickiness',
};

export const insightFrom = (insight: Found): Translated => {
  const described = {
    name: text(insight.name) || text(insight.derived_name) || `Insight ${text(insight.short_id)}`,
    description: text(insight.description),
    ...(insight.favorited === true && { favourite: true }),
    ...(isFilled(insight.tags) && { tags: insight.tags }),
  };
  if (isFilled(insight.query)) return { body: { ...described, query: insight.query }, left: [] };
  const { insight: kind = 'TRENDS', ...params } = (insight.filters ?? {}) as Found;
  const type = typesOfFilters[String(kind)] ?? String(kind).toLowerCase();
  return { body: { ...described, question: { type, params } }, left: [] };
};

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const largest = { columns: 12, rows: 50 };

/** The place of a tile; null without one that a grid of twelve columns has. */
const placeOf = ({ layouts }: Found) => {
  const { x, y, w, h } = ((layouts as { sm?: Found } | null)?.sm ?? {}) as Record<string, unknown>;
  if (![x, y, w, h].every((one) => typeof one === 'number')) return null;
  const width = Math.min(largest.columns, Math.max(1, Math.round(Number(w))));
  return {
    x: Math.min(largest.columns - width, Math.max(0, Math.round(Number(x)))),
    y: Math.min(1000, Math.max(0, Math.round(Number(y)))),
    w: width,
    h: Math.min(largest.rows, Math.max(1, Math.round(Number(h)))),
  };
};

/**
 * `insightHere` returns the id here of an insight there; null if it has not come over. Without `isFiltered` only the range of the
 * filters for all tiles comes over.
 */
export const dashboardFrom = (
  dashboard: Found,
  insightHere: (id: number) => number | null,
  { isFiltered }: { readonly isFiltered: boolean },
): Translated => {
  const tiles = Array.isArray(dashboard.tiles) ? (dashboard.tiles as Found[]) : [];
  const filters = (dashboard.filters ?? {}) as Found;
  const laid = tiles.map((tile) => {
    const place = placeOf(tile);
    const body = (tile.text as Found | null | undefined)?.body;
    const insight = (tile.insight as Found | null)?.id;
    return {
      ...(place && { layouts: { sm: place } }),
      ...(isText(body) && { text: { body } }),
      insight: typeof insight === 'number' ? insight : null,
    };
  });
  const shown = laid.filter(({ insight, text: body }) => insight !== null || body !== undefined);
  const kept = shown.flatMap(({ insight, ...tile }) => {
    if (insight === null) return [tile];
    const id = insightHere(insight);
    return id === null ? [] : [{ insight_id: id, ...tile }];
  });
  return {
    body: {
      name: text(dashboard.name) || 'Dashboard',
      description: text(dashboard.description),
      ...(dashboard.pinned === true && { favourite: true }),
      ...(isFilled(dashboard.tags) && { tags: dashboard.tags }),
      filters: {
        ...(isText(filters.date_from) && { date_from: filters.date_from }),
        ...(isText(filters.date_to) && { date_to: filters.date_to }),
        ...(isFiltered && isFilled(filters.properties) && { properties: filters.properties }),
        ...(isFiltered && isFilled(filters.breakdown_filter) && { breakdown_filter: filters.breakdown_filter }),
      },
      tiles: kept,
    },
    left: [
      ...(laid.length > shown.length ? [`${laid.length - shown.length} tiles without an insight or a text`] : []),
      ...(shown.length > kept.length ? [`${shown.length - kept.length} tiles whose insight did not come over`] : []),
      ...(!isFiltered && isFilled(filters.properties) ? ['filters on properties'] : []),
      ...(!isFiltered && isFilled(filters.breakdown_filter) ? ['a breakdown for all tiles'] : []),
      ...(isFilled(dashboard.variables) ? ['variables'] : []),
    ],
  };
};

/** `here` returns the id here of a dashboard or an insight there; null if it has not come over. */
export const annotationFrom = (
  annotation: Found,
  here: (kind: 'dashboards' | 'insights', id: number) => number | null,
): Translated => {
  const { content, date_marker, creation_type, scope, dashboard_id: dashboard, dashboard_item: insight } = annotation;
  const shownOn = {
    ...(scope === 'dashboard' && typeof dashboard === 'number' && { dashboard_id: here('dashboards', dashboard) }),
    ...(scope === 'dashboard_item' && typeof insight === 'number' && { dashboard_item: here('insights', insight) }),
  };
  const isLost = Object.values(shownOn).includes(null);
  return {
    body: { content, date_marker, creation_type, ...(isLost ? {} : shownOn) },
    left: [
      ...(isLost ? ['the chart that shows it, which did not come over: all charts do'] : []),
      ...(scope === 'organization' ? ['the other projects that show it'] : []),
    ],
  };
};

/** Null if there is nothing to say about the name. */
export const definitionFrom = (definition: Found): Translated | null => {
  const { name, tags, hidden, verified } = definition;
  const described = {
    ...(text(definition.description) !== '' && { description: definition.description }),
    ...(isFilled(tags) && { tags }),
    ...(hidden === true && { hidden }),
  };
  const left = verified === true ? ['the mark that it is verified'] : [];
  if (Object.keys(described).length + left.length === 0) return null;
  return { body: { name, ...described }, left };
};

/** A line of an import. */
export const personFrom = ({ distinct_ids, properties, created_at, is_identified }: Found): string =>
  JSON.stringify({
    type: 'person',
    distinct_ids,
    properties: properties ?? {},
    created_at,
    ...(typeof is_identified === 'boolean' && { is_identified }),
  });
