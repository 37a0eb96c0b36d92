import { type Sql, empty, instant, integer, join, sql, unsigned } from '../../platform/clickhouse/sql.js';
import { type Cursor } from '../../platform/http/page.dto.js';
import { type PageRequest } from '../../platform/http/newest-first.js';
import { storableMs } from '../../platform/time/dates.js';
import { containsTerm } from '../../kernel/projection/search.sql.js';
import { filterSql } from '../../filters/compile/compile.sql.js';
import { isEverything } from '../../filters/reading/filter.js';
import { type GroupsFilter } from './groups.query.js';

/** A list that ClickHouse evaluates, because it is filtered by contents. */
export interface GroupsQuestion {
  readonly projectId: number;
  readonly timezone: string;
  readonly now: Date;
  readonly filter: GroupsFilter;
}

const searched = { search: sql`g.search`, properties: sql`g.properties` };

const matching = ({ projectId, timezone, now, filter }: GroupsQuestion): Sql => {
  const { typeIndex, actor, search, properties, cohort, among, cohorts } = filter;
  const scope = {
    ...{ projectId, timezone, now, cohorts, actor: sql`g.actor`, event: null, person: null },
    group: { key: sql`g.key`, properties: sql`g.properties` },
  };
  return join(
    [
      sql`g.project_id = ${unsigned(projectId)}`,
      sql`g.group_type_index = ${unsigned(typeIndex)}`,
      actor === null ? null : sql`g.actor = ${integer(BigInt(actor))}`,
      search === null ? null : containsTerm(searched, search, []),
      isEverything(properties) ? null : filterSql(properties, scope),
      cohort === null ? null : filterSql(cohort, scope),
      among === null ? null : sql`g.id GLOBAL IN (${among})`,
    ].filter((condition) => condition !== null),
    sql` AND `,
  );
};

/** The projection has the moment of a cursor to the millisecond. */
const beyondSql = ({ direction, key: [micros = '0', id = '0'] }: Cursor): Sql => {
  const edge = sql`(${instant(new Date(storableMs(Number(BigInt(micros) / 1000n))))}, ${integer(BigInt(id))})`;
  return direction === 'before' ? sql`(g.created_at, g.id) > ${edge}` : sql`(g.created_at, g.id) < ${edge}`;
};

export const groupPageSql = (question: GroupsQuestion, { limit, offset, cursor }: PageRequest): Sql => {
  const order = cursor?.direction === 'before' ? sql`created_at ASC, number ASC` : sql`created_at DESC, number DESC`;
  const beyond = cursor === null ? empty : sql` AND ${beyondSql(cursor)}`;
  return sql`
    SELECT toString(number) AS id, toString(toUnixTimestamp64Milli(created_at) * 1000) AS micros
    FROM (SELECT g.id AS number, g.created_at AS created_at FROM groups AS g FINAL
          WHERE ${matching(question)}${beyond}
          ORDER BY ${order} LIMIT ${unsigned(limit + 1)} OFFSET ${unsigned(cursor ? 0 : offset)})
    ORDER BY ${order}`;
};

export const groupCountSql = (question: GroupsQuestion): Sql =>
  sql`SELECT count() AS count FROM groups AS g FINAL WHERE ${matching(question)}`;
