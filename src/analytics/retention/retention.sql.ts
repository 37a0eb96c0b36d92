import { type Sql, empty, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { type Breakdown } from '../shared/breakdown.js';
import { intervalSet } from '../shared/interval-set.sql.js';
import { type QuestionScope } from '../shared/question-scopes.js';
import { cellsInRow } from './cells.js';
import { everyValue, presence, type AnsweredValues } from './presence.sql.js';
import { type RetentionQuery } from './retention.query.js';

/** True if an actor that started at `start` counts in the cell at the index `later` of its row. */
const isRetained = (q: RetentionQuery, start: Sql, later: Sql): Sql => {
  const { has } = intervalSet(q.buckets.starts.length);
  const seen =
    q.cumulative || q.brackets
      ? sql`arrayExists(place -> ${has(sql`seen`, sql`place`)}, ${intervalsOfCell(q, start, later)})`
      : has(sql`seen`, sql`(${start} + ${later})`);
  return sql`(${later} = 0 OR ${seen})`;
};

/** The indexes of the intervals that a cell counts; cumulative: those of all later cells, too. */
const intervalsOfCell = ({ buckets, cells, cumulative }: RetentionQuery, start: Sql, later: Sql): Sql => {
  const firsts = cells.map(({ first }) => first);
  const ends = cells.map(({ last }) => (cumulative ? (cells.at(-1)?.last ?? 0) : last) + 1);
  const at = (of: readonly number[]): Sql => sql`(${start} + ${list(unsigned, of)}[${later} + 1])`;
  return sql`range(toUInt32(${at(firsts)}), toUInt32(least(${at(ends)}, ${unsigned(buckets.starts.length)})))`;
};

/** The indexes of the cells in which an actor that began at `start` counts. */
const cellsAfterStart = (q: RetentionQuery): Sql => {
  const { buckets, cells, brackets, cumulative } = q;
  const count = buckets.starts.length;
  if (brackets !== null)
    return sql`arrayFilter(cell -> ${isRetained(q, sql`start`, sql`cell`)}, range(${unsigned(cells.length)}))`;
  const indexes = intervalSet(count).indexes(sql`seen`);
  if (cumulative) return sql`range(toUInt32(greatest(1, toInt64(arrayMax(${indexes})) + 1 - start)))`;
  return count <= 64
    ? sql`bitPositionsToArray(bitOr(bitShiftRight(seen, start), 1))`
    : sql`arrayConcat([0], arrayMap(place -> place - start, arrayFilter(place -> place > start, seen)))`;
};

/** The numbers of each cell, for each value of a breakdown. */
export const retentionSql = (q: RetentionQuery, scope: QuestionScope, values: AnsweredValues = everyValue): Sql => {
  const { indexes } = intervalSet(q.buckets.starts.length);
  const value = q.breakdown === null ? empty : sql`value, `;
  return sql`
    SELECT ${value}toUInt32(start) AS start, toUInt32(later) AS later, sum(actors) AS actors
    FROM (
      SELECT ${value}start, actors, arrayJoin(${cellsAfterStart(q)}) AS later
      FROM (
        SELECT ${value}arrayJoin(${indexes(sql`begun`)}) AS start, seen, actors
        FROM (SELECT ${value}begun, seen, count() AS actors FROM (${presence(q, scope, values)}) GROUP BY ${value}begun, seen)))
    GROUP BY ${value}start, later`;
};

/** The values with which most persons began, all rows together: one more than the limit, which tells whether there are others. */
export const frequentValuesSql = (q: RetentionQuery, { limit }: Breakdown, scope: QuestionScope): Sql => sql`
  SELECT value
  FROM (SELECT value, sum(${intervalSet(q.buckets.starts.length).size(sql`begun`)}) AS persons FROM (${presence(q, scope, everyValue)}) GROUP BY value)
  WHERE persons > 0 ORDER BY persons DESC, value LIMIT ${unsigned(limit + 1)}`;

/** The persons of the selected cell, with a 1 for each cell of its row in which they count. */
export const retentionActorsSql = (
  q: RetentionQuery,
  scope: QuestionScope,
  values: AnsweredValues = everyValue,
): Sql => {
  const start = unsigned(q.selectedInterval);
  const later = unsigned(cellsInRow(q, q.selectedInterval));
  const isOfCell =
    q.returnInterval === 0 ? empty : sql` AND ${isRetained(q, sql`${start}`, sql`${unsigned(q.returnInterval)}`)}`;
  const isOfValue = q.value === null ? empty : sql` AND value = ${list(text, q.value)}`;
  const { has } = intervalSet(q.buckets.starts.length);
  return sql`
    SELECT actor, arrayMap(later -> toUInt8(${isRetained(q, sql`${start}`, sql`later`)}), range(${later})) AS appearances
    FROM (${presence(q, scope, values)})
    WHERE ${has(sql`begun`, sql`${start}`)}${isOfCell}${isOfValue}`;
};

export const mostAppearances: Sql = sql`arraySum(appearances)`;
