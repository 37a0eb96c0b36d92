import { invalidInput, required } from '../../platform/errors/problem.js';
import { everything, type Filter, type PropertySource } from './filter.js';
import { maxTextLength, readValues } from './leaf-values.js';
import { operatorNamed, operators, type Operator } from './operators.js';
import { assertOnlyKeys, type Fields } from '../../platform/fields/fields.js';
import { readChoice, readJsonBoolean } from '../../platform/fields/values.js';
import { readSmallId } from '../../platform/values/ids.js';

export type FilterType = 'event' | 'person' | 'cohort' | 'event_metadata';

export interface FilterOptions {
  /** The type of a filter that names none. */
  readonly defaultType: 'person' | 'event';
  readonly allowed: readonly FilterType[];
  /** The filters were accepted and stored before: cohorts that were deleted since still have their members. */
  readonly stored?: boolean;
}

const meaningful = ['type', 'key', 'operator', 'value', 'negation'];
const meaningfulOfCohort = [...meaningful, 'at'];
export const membershipTimes = ['event'] as const;

/** Keys that clients of the reference product send in addition; they have no effect. */
export const ignoredFilterKeys = ['label', 'cohort_name', 'group_key_names', 'property_type', 'property_type_format'];

/** All of them mean the same. */
export const cohortTypes = ['cohort', 'static-cohort', 'dynamic-cohort', 'precalculated-cohort'] as const;
export const metadataKeys = ['timestamp', 'distinct_id', 'event'] as const;

/** Splits `age__gte` into the key `age` and an operator. A suffix that is no operator belongs to the key. */
export const keyAndOperator = (name: string): { readonly key: string; readonly operator?: Operator } => {
  const at = name.lastIndexOf('__');
  const operator = at < 0 ? null : operatorNamed(name.slice(at + 2));
  return operator ? { key: name.slice(0, at), operator } : { key: name };
};

export const readLeaf = (leaf: Fields, attr: string, options: FilterOptions): Filter => {
  const known = isCohortType(leaf.type) ? meaningfulOfCohort : meaningful;
  assertOnlyKeys(leaf, attr, {
    known,
    rule: `a filter has ${known.join(', ')}`,
    isIgnored: (key, value) => ignoredFilterKeys.includes(key) || (key === 'group_type_index' && value === null),
  });
  const type = readType(leaf.type, `${attr}.type`, options);
  return type === 'cohort' ? readCohort(leaf, attr, options) : readProperty(leaf, type, attr);
};

export const isCohortType = (value: unknown): boolean => cohortTypes.some((type) => type === value);

const readType = (value: unknown, attr: string, { defaultType, allowed }: FilterOptions): FilterType =>
  readChoice(isCohortType(value) ? 'cohort' : (value ?? defaultType), attr, allowed);

const readProperty = (leaf: Fields, source: PropertySource, attr: string): Filter => {
  const key = readKey(leaf.key, source, `${attr}.key`);
  const operator = readOperator(leaf.operator, `${attr}.operator`);
  const ofTime = source === 'event_metadata' && key === 'timestamp';
  const values = readValues(operator, leaf.value, `${attr}.value`, { ofTime });
  const filter = { kind: 'property', source, key, operator, values, at: attr } as const;
  return readJsonBoolean(leaf.negation, `${attr}.negation`) ? { ...filter, negated: true } : filter;
};

const readKey = (key: unknown, source: PropertySource, attr: string): string => {
  if (key === undefined || key === null) throw required(attr);
  if (typeof key !== 'string') throw invalidInput(`${attr} must be text`, attr);
  if (key.length > maxTextLength) throw invalidInput(`${attr} must have at most ${maxTextLength} characters`, attr);
  return source === 'event_metadata' ? readChoice(key, attr, metadataKeys) : key;
};

const readOperator = (value: unknown, attr: string): Operator => {
  if (value === undefined || value === null) return 'exact';
  const operator = operatorNamed(value);
  if (!operator) throw invalidInput(`${attr} must be one of ${[...operators, 'in', 'not_in'].join(', ')}`, attr);
  return operator;
};

const readCohort = (leaf: Fields, attr: string, { stored }: FilterOptions): Filter => {
  if ((leaf.key ?? 'id') !== 'id') throw invalidInput(`${attr}.key must be "id" for a cohort`, `${attr}.key`);
  const operator = operatorNamed(leaf.operator ?? 'in');
  if (operator !== 'exact' && operator !== 'is_not') {
    throw invalidInput(`${attr}.operator must be in or not_in for a cohort`, `${attr}.operator`);
  }
  if (leaf.value === undefined || leaf.value === null) throw required(`${attr}.value`);
  const negated = (operator === 'is_not') !== readJsonBoolean(leaf.negation, `${attr}.negation`);
  const atEvent = (leaf.at ?? null) !== null && readChoice(leaf.at, `${attr}.at`, membershipTimes) === 'event';
  const ids = Array.isArray(leaf.value) ? (leaf.value as readonly unknown[]) : [leaf.value];
  if (ids.length === 0) return everything;
  const common = { kind: 'cohort', negated, stored, at: attr, ...(atEvent && { atEvent }) } as const;
  const parts = ids.map((id) => ({ ...common, cohortId: readCohortId(id, `${attr}.value`) }));
  if (parts.length === 1 && parts[0]) return parts[0];
  return { kind: 'group', combine: negated ? 'AND' : 'OR', parts };
};

const readCohortId = (value: unknown, attr: string): number => {
  const id = readSmallId(value);
  if (id === null) {
    throw invalidInput(`${attr} must be the id of a cohort, an integer`, attr);
  }
  return id;
};
