import { type ProjectContext } from '../../kernel/access/project-context.js';
import { breakdownParameters } from '../../analytics/shared/breakdown.parameters.js';
import { joinedFilters } from '../../filters/reading/joined-filters.js';
import { unknownName } from '../../platform/errors/nearest-name.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { isFields, requireObject, type Fields } from '../../platform/fields/values.js';
import { type Schema } from '../../platform/fields/schema.js';
import { namedBelow } from '../questions/named-below.js';
import { parametersOf, type SavedQuestion } from '../questions/question.js';
import { type QuestionCheck } from '../questions/question-check.js';
import { assertRange, ownRange, withRange, type RangeOverride } from '../questions/time-range.js';

/** The range and the breakdown that all tiles have in place of their own, and the filters that they have beside them. */
export interface BoardFilters extends RangeOverride {
  /** A list or a group of filters, as it was sent; null if there is none. */
  readonly properties: unknown;
  readonly breakdown_filter: Fields | null;
}

export const maxDateLength = 100;
const longest = 10_000;

export const noFilters: BoardFilters = { ...ownRange, properties: null, breakdown_filter: null };

const names = ['date_from', 'date_to', 'properties', 'breakdown_filter'] as const;

/** The parameters of a breakdown, but that of a list of persons. */
const breakdownNames = Object.keys(breakdownParameters).filter((name) => name !== 'breakdown_value');

export const filtersSchema: Schema = {
  type: 'object',
  properties: {
    date_from: { type: 'string', nullable: true },
    date_to: { type: 'string', nullable: true },
    properties: {
      anyOf: [
        { type: 'array', items: {} },
        { type: 'object', additionalProperties: true },
      ],
      nullable: true,
    },
    breakdown_filter: { type: 'object', additionalProperties: true, nullable: true },
  },
};

/** The filters as an answer has them. */
export const boardFiltersOf = ({ date_from, date_to, properties, breakdown_filter }: BoardFilters) => ({
  ...{ date_from, date_to, properties: properties ?? [], breakdown_filter },
});

export const readFilters = (sent: Fields, attr: string): BoardFilters => {
  const other = Object.keys(sent).find((name) => !(names as readonly string[]).includes(name));
  if (other !== undefined) throw unknownName(other, names, [attr]);
  if (JSON.stringify(sent).length > longest)
    throw invalidInput(`${attr} must have at most ${longest} characters as JSON text`, attr);
  return {
    date_from: readDate(sent.date_from ?? null, `${attr}.date_from`),
    date_to: readDate(sent.date_to ?? null, `${attr}.date_to`),
    properties: readProperties(sent.properties ?? null, `${attr}.properties`),
    breakdown_filter: readBreakdown(sent.breakdown_filter ?? null, `${attr}.breakdown_filter`),
  };
};

const readDate = (value: unknown, attr: string): string | null => {
  if (value !== null && (typeof value !== 'string' || value.length > maxDateLength))
    throw invalidInput(`${attr} must be a date of at most ${maxDateLength} characters`, attr);
  return value || null;
};

const readProperties = (value: unknown, attr: string): unknown => {
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (Array.isArray(value) || isFields(value)) return Object.keys(value).length === 0 ? null : value;
  throw invalidInput(`${attr} must be a list of filters, or a group {"type": "AND", "values": […]}`, attr);
};

const readBreakdown = (value: unknown, attr: string): Fields | null => {
  if (value === null) return null;
  const given = Object.entries(requireObject(value, attr)).filter(([, one]) => one !== null);
  const other = given.find(([name]) => !breakdownNames.includes(name));
  if (other) throw unknownName(other[0], breakdownNames, attr.split('.'));
  return given.length === 0 ? null : Object.fromEntries(given);
};

/** Refuses filters that no question could have, as a question would. `attr` names them. */
export const assertFilters = async (
  { properties, breakdown_filter, ...range }: BoardFilters,
  attr: string,
  check: QuestionCheck,
  project: ProjectContext,
  now: Date,
): Promise<void> => {
  assertRange(range, project, now);
  const refused = (path: string, params: Fields) =>
    namedBelow(path, () => check.checkParams(project, { type: 'trends', params }, now));
  if (properties !== null) await refused(attr, { properties });
  if (breakdown_filter !== null) await refused(`${attr}.breakdown_filter`, breakdown_filter);
};

export const withoutBreakdown = ({ type, params }: SavedQuestion): SavedQuestion => ({
  type,
  params: Object.fromEntries(Object.entries(params).filter(([name]) => !breakdownNames.includes(name))),
});

/** The question of a tile with what all tiles have in common, as far as its kind has such parameters. */
export const withFilters = (question: SavedQuestion, filters: BoardFilters): SavedQuestion => {
  const ranged = withRange(question, filters);
  const { type, params } = ranged;
  const known = parametersOf(type);
  const { properties, breakdown_filter: breakdown } = filters;
  const isSplit = breakdown !== null && known.includes('breakdown');
  return {
    type,
    params: {
      ...(isSplit ? { ...withoutBreakdown(ranged).params, ...breakdown } : params),
      ...(properties !== null &&
        known.includes('properties') && { properties: joinedFilters(params.properties, properties).filters }),
    },
  };
};
