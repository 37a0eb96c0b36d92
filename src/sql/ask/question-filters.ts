import { testAccountFilters } from '../../filters/checks/test-account-filters.js';
import { insightFilters } from '../../filters/reading/filter-fields.js';
import { allOf, isEverything } from '../../filters/reading/filter.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Problem } from '../../platform/errors/problem.js';
import { propertySchemas } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { type Schema } from '../../platform/fields/schema.js';
import { type Fields, requireFields } from '../../platform/fields/values.js';
import { readRange, type DateRange } from '../../platform/time/range.js';
import { FilledIn, type PlaceholderValues } from '../check/checking.js';
import { type SourcePosition } from '../fault.js';
import { type Markers } from '../parse/markers.js';
import { type Expression } from '../tree.js';
import { type NamedMatches } from './asking-scopes.js';

/** The filters that a question in SQL has beside its text, as the client sent them. */
export interface SentFilters {
  readonly value: unknown;
  readonly attr: string;
}

/** The values of `{filters}`, which is a condition, and of the moments `{filters.dateRange.from}` and `.to`. */
interface FiltersInQuestion {
  readonly values: PlaceholderValues;
  readonly matches: NamedMatches;
  readonly haveEffect: boolean;
}

/** The name under which the question finds the filters on properties, as if they were an action. */
const matchKey = 'filters of the question';

const rangeFields = {
  date_from: field.text({ description: 'The first day or moment, as in insights.', example: '-7d' }),
  date_to: field.text({ description: 'The last day or moment.', example: '2024-03-31' }),
  explicitDate: field.boolean({ description: 'Both are exact moments.', fallback: false, example: true }),
};

const filterFields = {
  properties: { ...insightFilters, example: [] },
  filterTestAccounts: field.boolean({
    description: 'Adds the project’s `test_account_filters`.',
    fallback: false,
    example: true,
  }),
};

export const questionFiltersSchema: Schema = {
  type: 'object',
  additionalProperties: false,
  description:
    'What `{filters}` stands for in the SELECT. `{filters.dateRange.from}` and `{filters.dateRange.to}` are the ends of the range.',
  properties: {
    dateRange: {
      ...{ type: 'object', additionalProperties: false, properties: propertySchemas(rangeFields) },
      ...{ description: 'The range of `timestamp`.', example: { date_from: '-7d' } },
    },
    ...propertySchemas(filterFields),
  },
  example: { dateRange: { date_from: '-7d' } },
};

export const readQuestionFilters = (
  { value, attr }: SentFilters,
  project: ProjectContext,
  now: Date,
): FiltersInQuestion => {
  const sent =
    value === undefined || value === null
      ? {}
      : requireFields(value, attr, ['dateRange', ...Object.keys(filterFields)]);
  const range = readRangeOf(sent.dateRange ?? {}, `${attr}.dateRange`, project, now);
  const properties = filterFields.properties.read(sent.properties, `${attr}.properties`);
  const filter = filterFields.filterTestAccounts.read(sent.filterTestAccounts, `${attr}.filterTestAccounts`)
    ? allOf(properties, testAccountFilters(project))
    : properties;
  const isFiltered = !isEverything(filter);
  return {
    values: {
      filters: new FilledIn((at) => conditionOf(range, isFiltered, at)),
      ...(range.from && { 'filters.dateRange.from': new FilledIn((at) => moment(range.from as Date, at)) }),
      ...(range.to && { 'filters.dateRange.to': new FilledIn((at) => moment(range.to as Date, at)) }),
    },
    matches: new Map(isFiltered ? [[matchKey, [{ event: null, filter }]]] : []),
    haveEffect: isFiltered || range.from !== null || range.to !== null,
  };
};

export const namesFilters = (markers: Markers): boolean =>
  [...markers.values()].some((marker) => marker.kind === 'placeholder' && /^filters\b/.test(marker.name));

/** Null is an end that the client leaves open. */
type OpenRange = Pick<DateRange, 'from'> & { readonly to: Date | null };

const readRangeOf = (value: unknown, attr: string, project: ProjectContext, now: Date): OpenRange => {
  const sent: Fields = requireFields(value, attr, Object.keys(rangeFields));
  const from = rangeFields.date_from.read(sent.date_from, `${attr}.date_from`) || 'all';
  const to = rangeFields.date_to.read(sent.date_to, `${attr}.date_to`) || undefined;
  const isExplicit = rangeFields.explicitDate.read(sent.explicitDate, `${attr}.explicitDate`);
  try {
    const range = readRange({ date_from: from, date_to: to, isExplicit }, 'day', now, project);
    return { from: range.from, to: to === undefined ? null : range.to };
  } catch (error) {
    if (!(error instanceof Problem) || error.attr === null) throw error;
    throw error.at(`${attr}.${error.attr}`);
  }
};

const conditionOf = ({ from, to }: OpenRange, isFiltered: boolean, at: SourcePosition): Expression => {
  const timestamp: Expression = { kind: 'name', parts: [{ text: 'timestamp', at }], at };
  const compared = (operator: '>=' | '<=', date: Date): Expression => ({
    ...{ kind: 'operation', operator, operands: [timestamp, moment(date, at)], at },
  });
  const operands = [
    ...(from ? [compared('>=', from)] : []),
    ...(to ? [compared('<=', to)] : []),
    ...(isFiltered ? [call('matchesAction', [{ kind: 'text', value: matchKey, at }], at)] : []),
  ];
  const [only] = operands;
  if (!only) return { kind: 'constant', value: true, at };
  return operands.length === 1 ? only : { kind: 'operation', operator: 'and', operands, at };
};

/** The moment in UTC as the dialect reads it. */
const moment = (date: Date, at: SourcePosition): Expression => {
  const value = date.toISOString().replace('T', ' ').replace('Z', '');
  return call(
    'toDateTime64',
    [
      { kind: 'text', value, at },
      { kind: 'number', digits: '3', at },
      { kind: 'text', value: 'UTC', at },
    ],
    at,
  );
};

const call = (name: string, args: readonly Expression[], at: SourcePosition): Expression => ({
  ...{ kind: 'call', name: { text: name, at }, parameters: [], args },
  ...{ distinct: false, nulls: null, ofRows: false, over: null, at },
});
