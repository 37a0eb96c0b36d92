import { requireDate } from '../../platform/time/dates.js';
import { startOfDay } from '../../platform/time/intervals.js';
import { type Cursor } from '../../platform/http/cursor.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { isEverything, type CohortFilter, type Filter } from '../../filters/reading/filter.js';
import { personFilters } from '../../filters/reading/filter-fields.js';
import { type PersonsQuery } from './persons.query.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { readSmallId } from '../../platform/values/ids.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { storable } from '../../platform/time/storable.js';

/** The filters for which PostgreSQL has an index. */
export interface KeyFilter {
  readonly distinctIds: readonly string[] | null;
  readonly uuid: string | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

/** The filters that ClickHouse evaluates. */
export interface ContentFilter {
  readonly email: string | null;
  readonly search: string | null;
  readonly keyIdentifier: string | null;
  readonly isIdentified: boolean | null;
  readonly filter: Filter;
  readonly cohort: CohortFilter | null;
  /** Selects the persons among which are those of the list, as `actor`. */
  readonly among: Sql | null;
}

/** Both filters must match. */
export interface PersonsFilter {
  readonly keys: KeyFilter;
  /** Null when the key filter says everything. */
  readonly content: ContentFilter | null;
}

export const readPersonsFilter = (
  project: ProjectContext,
  query: PersonsQuery,
  now: Date,
  among: Sql | null = null,
): PersonsFilter => {
  const moment = (name: 'created_after' | 'created_before'): Date | null => {
    const text = query[name];
    if (text === undefined || text === '') return null;
    const { at, precision } = requireDate(text, name, now, project);
    return storable(precision === 'day' ? startOfDay(at).toJSDate() : at.toJSDate());
  };
  const keys = {
    distinctIds: query.distinct_id ?? null,
    uuid: query.uuid?.toLowerCase() ?? null,
    createdAfter: moment('created_after'),
    createdBefore: moment('created_before'),
  };
  const content = {
    email: textOrNull(query.email),
    search: textOrNull(query.search),
    keyIdentifier: textOrNull(query.key_identifier),
    isIdentified: query.is_identified ?? null,
    filter: personFilters.read(query.properties, 'properties'),
    cohort: cohortOf(query),
    among,
  };
  const { filter, ...others } = content;
  const hasContent = !isEverything(filter) || Object.values(others).some((value) => value !== null);
  return { keys, content: hasContent ? content : null };
};

/** Blank text counts as absent. */
const textOrNull = (text: string | undefined): string | null => text?.trim() || null;

const cohortOf = ({ cohort }: PersonsQuery): CohortFilter | null => {
  if (cohort === undefined) return null;
  const cohortId = readSmallId(cohort);
  if (cohortId === null) throw invalidInput('cohort must be the id of a cohort', 'cohort');
  return { kind: 'cohort', cohortId, negated: false };
};

/** A position in the list: microseconds since 1970, which is the precision of PostgreSQL, and the id. */
export interface KeysetPosition {
  readonly micros: string;
  readonly id: string;
}

/** The limit is the year 20000: beyond it, PostgreSQL would round. */
const latestMicros = 569_000_000_000_000_000n;

export const isKeysetPosition = ([micros = '', id = '', ...more]: readonly string[]): boolean =>
  more.length === 0 &&
  /^-?\d{1,18}$/.test(micros) &&
  /^\d{1,15}$/.test(id) &&
  BigInt(micros) <= latestMicros &&
  BigInt(micros) >= -latestMicros;

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly cursor: Cursor | null;
}
