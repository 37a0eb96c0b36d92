import { joinedFilters } from '../../filters/reading/joined-filters.js';
import { requireList } from '../../platform/fields/values.js';
import {
  becomes,
  listOfObjects,
  objectOf,
  presentation,
  refused,
  withoutEffect,
  works,
  type NodeField,
  type NodeShape,
} from './node-fields.js';
import { type Translation } from './translation.js';

export const noWarehouse = 'there is no data warehouse here';

/** Fields of every node. */
export const nodeBasics = {
  kind: works(),
  version: withoutEffect('every version is read alike'),
  response: presentation,
} satisfies NodeShape;

/** Fields of nodes that ask for data. */
export const dataBasics = {
  ...nodeBasics,
  modifiers: withoutEffect('they tune an engine that is not this one'),
  tags: presentation,
} satisfies NodeShape;

export const dateRange: NodeShape = {
  date_from: becomes('date_from'),
  date_to: becomes('date_to'),
  explicitDate: becomes('explicit_date'),
  excludeIncompletePeriods: becomes('exclude_incomplete_periods'),
  daysOfWeek: refused('filter by an expression, such as toDayOfWeek(timestamp) < 6'),
};

/** A column of events, such as `distinct_id`, is an expression of ours; `$group_0` is the key of a group. */
const columnOfEvents = 'event_metadata';

const groupColumn = /^\$group_(\d|1\d)$/;

const types = `\`event\`, \`person\`, \`cohort\`, \`group\`, \`hogql\` or \`${columnOfEvents}\``;

const typeAt = (name: string): NodeField =>
  works(
    (value, attr, into) => into.set(name, value === columnOfEvents ? 'hogql' : value, attr),
    types,
    (from) => from.take(name),
  );

/** The property of a breakdown; `names` are those of its type and of the type of its groups. */
const propertyAt = (name: string, names: readonly [string, string]): NodeField =>
  works(
    (value, attr, into) => {
      const [, group] = (into.params[names[0]] === 'hogql' && groupColumn.exec(String(value))) || [];
      into.set(name, group === undefined ? value : '$group_key', attr);
      if (group === undefined) return;
      into.set(names[0], 'group', attr);
      into.set(names[1], Number(group), attr);
    },
    '',
    (from) => from.take(name),
  );

export const breakdown: NodeShape = {
  type: typeAt('type'),
  property: propertyAt('property', ['type', 'group_type_index']),
  normalize_url: becomes('normalize_url'),
  group_type_index: becomes('group_type_index', 'with the type `group`'),
  histogram_bin_count: becomes('histogram_bin_count'),
};

export const breakdownFilter: NodeShape = {
  breakdown_type: typeAt('breakdown_type'),
  breakdown: propertyAt('breakdown', ['breakdown_type', 'breakdown_group_type_index']),
  breakdowns: listOfObjects('breakdowns', breakdown, 5),
  breakdown_limit: becomes('breakdown_limit'),
  breakdown_normalize_url: becomes('breakdown_normalize_url'),
  breakdown_path_cleaning: refused('rules that clean paths apply to PathsQuery only'),
  breakdown_group_type_index: becomes('breakdown_group_type_index', 'with the type `group`'),
  breakdown_histogram_bin_count: becomes('breakdown_histogram_bin_count'),
  breakdown_hide_other_aggregation: works((value, _attr, into) => {
    into.shown.hidesOther = value === true;
  }),
};

export const compareFilter: NodeShape = { compare: becomes('compare'), compare_to: becomes('compare_to') };

/** Adds filters to those of `properties`: the fixed ones of a node, all of which must hold as well. */
const readFixed = (value: unknown, attr: string, into: Translation): void => {
  const { filters, places } = joinedFilters(into.params.properties, value);
  into.params.properties = filters;
  for (const { path, was } of places) into.note(`properties${path}`, attr + was);
};

export const fixedProperties = works(readFixed, 'they hold in addition to `properties`');

/** Fields of every insight. */
export const insightBasics = {
  ...dataBasics,
  dateRange: objectOf(dateRange),
  filterTestAccounts: becomes('filter_test_accounts'),
  properties: becomes('properties'),
  aggregation_group_type_index: becomes('aggregation_group_type_index'),
  samplingFactor: refused('every answer counts all events', [1]),
  dataColorTheme: presentation,
} satisfies NodeShape;

export const legend = {
  showLegend: presentation,
  legendPosition: presentation,
  showValuesOnSeries: presentation,
  resultCustomizations: presentation,
} satisfies NodeShape;

export const textsOf = (parameter: string): NodeField =>
  works(
    (value, attr, into) => into.set(parameter, requireList(value, attr, 100), attr),
    '',
    (from) => {
      const texts = from.take(parameter);
      return texts === undefined || Array.isArray(texts) ? texts : [texts];
    },
  );
