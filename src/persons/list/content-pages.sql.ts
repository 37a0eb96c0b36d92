import { type Cursor } from '../../platform/http/page.dto.js';
import { type CohortMemberships, type FilterScope, filterSql } from '../../filters/compile/compile.sql.js';
import { isEverything } from '../../filters/reading/filter.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import {
  type Sql,
  boolean,
  empty,
  instant,
  integer,
  join,
  list,
  sql,
  text,
  unsigned,
  uuid,
} from '../../platform/clickhouse/sql.js';
import { containsTerm } from '../../kernel/projection/search.sql.js';
import { type PageRequest } from '../../platform/http/newest-first.js';
import { type ContentFilter, type KeyFilter } from './persons.query.js';
import { storableMs } from '../../platform/time/dates.js';

export interface ContentQuestion {
  readonly projectId: number;
  readonly timezone: string;
  readonly now: Date;
  readonly cohorts: CohortMemberships;
  readonly keys: KeyFilter;
  readonly content: ContentFilter;
  /** The properties from which the project takes the names of persons. */
  readonly nameProperties: readonly string[];
  /** The persons whom PostgreSQL found for the parameter of the same name. */
  readonly owners: {
    readonly distinctIds: readonly string[] | null;
    readonly search: readonly string[];
    readonly keyIdentifier: readonly string[];
  };
}

const email = sql`ifNull(${propertyText(sql`p.properties`, 'email')}, '')`;

const isEmail = (value: string): Sql => sql`lowerUTF8(${email}) = lowerUTF8(${text(value)})`;

const isOneOf = (ids: readonly string[]): Sql =>
  sql`p.id IN ${list(
    integer,
    ids.map((id) => BigInt(id)),
  )}`;

const searched = { search: sql`p.search`, properties: sql`p.properties` };

/** Adds the persons whom PostgreSQL found only if there are any: without them, ClickHouse can use the index of the texts. */
const matchesSearch = (term: string, { nameProperties, owners: { search: owners } }: ContentQuestion): Sql => {
  const contains = containsTerm(searched, term, nameProperties);
  return owners.length > 0 ? sql`(${contains} OR ${isOneOf(owners)})` : contains;
};

const identified = (term: string, owners: readonly string[]): Sql =>
  owners.length > 0 ? sql`(${isEmail(term)} OR ${isOneOf(owners)})` : isEmail(term);

const matching = (question: ContentQuestion): Sql => {
  const { projectId, timezone, now, cohorts, keys, content, owners } = question;
  const scope: FilterScope = {
    projectId,
    timezone,
    now,
    cohorts,
    actor: sql`p.id`,
    event: null,
    person: { properties: sql`p.properties` },
  };
  const conditions = [
    sql`p.project_id = ${unsigned(projectId)}`,
    keys.uuid === null ? null : sql`p.uuid = ${uuid(keys.uuid)}`,
    keys.createdAfter === null ? null : sql`p.created_at > ${instant(keys.createdAfter)}`,
    keys.createdBefore === null ? null : sql`p.created_at < ${instant(keys.createdBefore)}`,
    owners.distinctIds === null ? null : isOneOf(owners.distinctIds),
    content.email === null ? null : isEmail(content.email),
    content.search === null ? null : matchesSearch(content.search, question),
    content.keyIdentifier === null ? null : identified(content.keyIdentifier, owners.keyIdentifier),
    content.isIdentified === null ? null : sql`p.is_identified = ${boolean(content.isIdentified)}`,
    isEverything(content.filter) ? null : filterSql(content.filter, scope),
    content.cohort === null ? null : filterSql(content.cohort, scope),
    content.among === null ? null : sql`p.id GLOBAL IN ${content.among}`,
  ].filter((condition) => condition !== null);
  return join(conditions, sql` AND `);
};

/**
 * Selects the persons after or before a cursor. A cursor is exact to the microsecond; the projection is exact to the millisecond
 * and stores a limited range of years.
 */
const beyondSql = ({ direction, key: [micros = '0', id = '0'] }: Cursor): Sql => {
  const ms = storableMs(Number(BigInt(micros) / 1000n));
  const edge = sql`(${instant(new Date(ms))}, ${integer(BigInt(id))})`;
  return direction === 'before' ? sql`(p.created_at, p.id) > ${edge}` : sql`(p.created_at, p.id) < ${edge}`;
};

export const contentPageSql = (question: ContentQuestion, { limit, offset, cursor }: PageRequest): Sql => {
  const backwards = cursor?.direction === 'before';
  const order = backwards ? sql`created_at ASC, person ASC` : sql`created_at DESC, person DESC`;
  const beyond = cursor === null ? empty : sql` AND ${beyondSql(cursor)}`;
  // The inner column has another name than id: sorting by id would sort the text of the outer column.
  return sql`
    SELECT toString(person) AS id, toString(toUnixTimestamp64Milli(created_at) * 1000) AS micros
    FROM (SELECT p.id AS person, p.created_at AS created_at FROM persons AS p FINAL
          WHERE ${matching(question)}${beyond}
          ORDER BY ${order} LIMIT ${unsigned(limit + 1)} OFFSET ${unsigned(cursor ? 0 : offset)})
    ORDER BY ${order}`;
};

export const contentCountSql = (question: ContentQuestion): Sql =>
  sql`SELECT count() AS count FROM persons AS p FINAL WHERE ${matching(question)}`;
