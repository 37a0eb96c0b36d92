import { invalidInput, required } from '../../platform/errors/problem.js';
import { type Filter, allOf, groupKey } from '../../filters/reading/filter.js';
import { type NamedGroupType } from '../../filters/checks/filter-checks.js';
import { type NamedProperty } from '../../filters/warnings/unknown-properties.js';
import { type WrittenExpression } from '../../sql/ask/event-expressions.js';
import { binLabel } from './bins.js';

/** A property of events, their persons or their groups whose values split the numbers, or an expression that the client wrote. */
export interface PropertyPart {
  readonly kind: 'property';
  readonly source: 'event' | 'person' | 'group' | 'hogql';
  /** The index of the type of a `group`. */
  readonly groupType?: number;
  /** The key of the property, or the text of the expression. */
  readonly key: string;
  /** The path of an expression in the request. */
  readonly attr?: string;
  /** Values that differ only by `/`, `?` and `#` at their end are one value. */
  readonly normalizesUrl: boolean;
  /** The bins of a histogram: their number and, once looked up, their bounds. Null: each value stands for itself. */
  readonly bins: number | readonly number[] | null;
}

/**
 * Cohorts that split the numbers; who is in several of them counts for each. An event counts for those of its person and of its groups.
 * `all`: everyone.
 */
export interface CohortPart {
  readonly kind: 'cohort';
  readonly cohorts: readonly (number | 'all')[];
  /** True if the members at the time of the event count. */
  readonly atEvent: boolean;
}

export type BreakdownPart = PropertyPart | CohortPart;

/** Splits numbers. A value of the breakdown is a list with one text for each part; '' is a missing property. */
export interface Breakdown {
  readonly parts: readonly BreakdownPart[];
  readonly limit: number;
}

export const propertyParts = ({ parts }: Breakdown): PropertyPart[] => parts.filter((part) => part.kind === 'property');

/** The properties whose values split the numbers. */
export const propertiesOfBreakdown = (breakdown: Breakdown | null): NamedProperty[] =>
  breakdown === null
    ? []
    : propertyParts(breakdown).flatMap(({ source, groupType, key }) =>
        source === 'hogql' || (source === 'group' && key === groupKey)
          ? []
          : [{ source, ...(groupType !== undefined && { groupType }), key, in: 'breakdown' as const }],
      );

/** The expressions whose values split the numbers. */
export const expressionsOfBreakdown = (breakdown: Breakdown | null): WrittenExpression[] =>
  (breakdown === null ? [] : propertyParts(breakdown)).flatMap(({ source, key, attr = 'breakdown' }) =>
    source === 'hogql' ? [{ use: 'value' as const, text: key, attr }] : [],
  );

/** True if all events of whom the question counts have the same value. */
export const isOfActor = ({ source, groupType }: PropertyPart, counted: number | null): boolean =>
  counted === null ? source === 'person' : source === 'group' && groupType === counted;

/** The types of groups that a breakdown names. */
export const groupTypesOfBreakdown = (breakdown: Breakdown | null): NamedGroupType[] =>
  breakdown === null
    ? []
    : propertyParts(breakdown).flatMap(({ groupType }) =>
        groupType === undefined ? [] : [{ index: groupType, at: 'breakdown_group_type_index' }],
      );

export const cohortParts = ({ parts }: Breakdown): CohortPart[] => parts.filter((part) => part.kind === 'cohort');

/** The part of a breakdown by cohort alone, whose values are known from the request; otherwise null. */
export const onlyCohorts = (breakdown: Breakdown | null): CohortPart | null => {
  const [first, ...others] = breakdown?.parts ?? [];
  return first?.kind === 'cohort' && others.length === 0 ? first : null;
};

/** The ids of all cohorts of a breakdown. */
export const cohortIdsOf = (breakdown: Breakdown | null): number[] =>
  breakdown === null
    ? []
    : cohortParts(breakdown).flatMap(({ cohorts }) => cohorts.filter((cohort) => cohort !== 'all'));

const maxNumbers = 100_000;

/** Refuses an answer with too many numbers: that many for each value and for "Other". */
export const assertFewNumbers = (values: number, numbersOfEach: number, noun: string): void => {
  if ((values + 1) * numbersOfEach <= maxNumbers) return;
  throw invalidInput(
    `${values} values at ${numbersOfEach} ${noun} are more than ${maxNumbers} numbers: choose a longer interval or a smaller breakdown_limit`,
    'breakdown_limit',
  );
};

/** The value that stands for all values beyond the limit. */
export const otherName = 'Other';
export const otherValue: readonly string[] = [otherName];

export const isOther = (value: readonly string[]): boolean => value.length === 1 && value[0] === otherName;

/**
 * The filter that a question scope must resolve before the breakdown can be compiled. `actors` are the kinds of those who are split
 * themselves, rather than their events: null for persons, or the index of a type of groups.
 */
export const filterOfBreakdown = (breakdown: Breakdown | null, actors: readonly (number | null)[]): Filter =>
  allOf(
    ...(breakdown === null ? [] : cohortParts(breakdown)).flatMap(({ cohorts, atEvent }) =>
      cohorts.flatMap((cohort) =>
        cohort === 'all'
          ? []
          : [{ kind: 'cohort' as const, cohortId: cohort, negated: false, atEvent, ofBreakdown: actors }],
      ),
    ),
  );

/** Checks a requested value: one text for each part, or "Other". */
export const requireValueOf = (
  breakdown: Breakdown | null,
  requested: readonly string[],
  attr: string,
): readonly string[] => {
  if (breakdown === null) throw required('breakdown');
  const { parts } = breakdown;
  const value = asBin(breakdown, requested);
  if (isOther(value) && onlyCohorts(breakdown) === null) return value;
  if (value.length !== parts.length) {
    throw invalidInput(
      `${attr} must have ${parts.length} values, one for each property of the breakdown, or be "${otherName}"`,
      attr,
    );
  }
  for (const [at, part] of parts.entries()) {
    if (part.kind === 'property' || part.cohorts.some((cohort) => String(cohort) === value[at])) continue;
    throw invalidInput(`${attr} must be one of the cohorts of the breakdown`, attr);
  }
  return value;
};

/** Restores the name of a bin: `[10.0,17.5]` is also the JSON of two numbers, and may have been read as two values. */
const asBin = ({ parts }: Breakdown, value: readonly string[]): readonly string[] => {
  const [part, ...others] = parts;
  const [from, to] = value;
  const isBin = part?.kind === 'property' && part.bins !== null && others.length === 0 && value.length === 2;
  return isBin ? [binLabel(Number(from), Number(to))] : value;
};
