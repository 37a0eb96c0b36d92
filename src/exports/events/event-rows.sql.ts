import { zeroUuid } from '../../platform/values/ids.js';
import { loggedBytes, thisProject } from '../../kernel/projection/cargo/cargo.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';
import { type Walk } from '../files/chunk.js';
import { type ReadWindow } from '../files/walk.js';

/** The budget for the properties of one read. A single event may be larger. */
const budgetOfEvents = 2 * 1024 ** 2;

/** Properties of at least this size are read alone, and written without the spaces that PostgreSQL adds. */
export const largeBytes = 512 * 1024;

/**
 * Selects the events of a window in the order of their uuids, which is that of the primary key: as many as the budget and the
 * limit allow, but at least one. If the last row of the window is not included, it comes without an event, to tell how far the
 * read got. Sub-selects keep PostgreSQL from reading bound values again for each row.
 */
export const eventRowsSql = (walk: Walk, { after, rows, remaining }: ReadWindow): PgSql => {
  const window = bound(rows);
  const budget = pgSql`(SELECT ${bound(budgetOfEvents)}::integer)`;
  return pgSql`
    SELECT k.place::integer, k.uuid, CASE WHEN k.is_included THEN to_json(k.event) END, to_json(k.distinct_id),
      k.timestamp, k.block, k.properties
    FROM (
      SELECT s.*, row_number() OVER w AS place, sum(s.weight) OVER w AS weight_so_far
      FROM (
        SELECT m.*, CASE WHEN NOT m.is_included THEN 0
            WHEN m.bytes > (SELECT ${bound(largeBytes)}::integer) THEN m.bytes + ${budget} ELSE m.bytes END AS weight
        FROM (
          SELECT e.uuid, e.event, e.distinct_id, e.timestamp, e.properties, e.block, ${isIncluded(walk)} AS is_included,
            ${loggedBytes} AS bytes
          FROM events AS e WHERE e.project_id = ${thisProject(walk.projectId)} AND ${isAfter(after)}
          ORDER BY e.uuid LIMIT ${window}::integer
        ) AS m
      ) AS s WINDOW w AS (ORDER BY s.uuid ROWS UNBOUNDED PRECEDING)
    ) AS k
    WHERE (k.weight_so_far <= ${budget} OR k.weight_so_far = k.weight)
      AND (k.is_included OR k.place = (SELECT ${window}::integer))
    ORDER BY k.uuid ${remaining === null ? pgSql`` : pgSql`LIMIT ${bound(remaining)}::bigint`}`;
};

const isAfter = (uuid: string | null): PgSql =>
  uuid === null ? pgSql`e.uuid >= ${bound(zeroUuid)}::uuid` : pgSql`e.uuid > ${bound(uuid)}::uuid`;

const isIncluded = ({ after, before }: Walk): PgSql => pgSql`(true
  ${after === null ? pgSql`` : pgSql`AND e.timestamp > (SELECT ${bound(after)}::timestamptz)`}
  ${before === null ? pgSql`` : pgSql`AND e.timestamp < (SELECT ${bound(before)}::timestamptz)`})`;
