import { type Sql, integer, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { type Chunks, chunkSize } from './member-chunks.js';

/**
 * Selects persons or groups that PostgreSQL knows, one row with their id as `actor` for each: chunks are sent as text and become
 * ids in ClickHouse.
 */
export const actorsInSql = (persons: Chunks): Sql => {
  const chunks = list(integer, [...persons.keys()]);
  const bits = list(
    text,
    [...persons.values()].map((each) => Buffer.from(each).toString('hex')),
  );
  return sql`
    SELECT chunk * ${integer(chunkSize)} + word * 64 + toInt64(bit) AS actor
    FROM (
      SELECT pair.1 AS chunk, unhex(pair.2) AS bytes, toInt64(arrayJoin(range(16))) AS word
      FROM (SELECT arrayJoin(arrayZip(${chunks}, ${bits})) AS pair))
    ARRAY JOIN bitPositionsToArray(reinterpretAsUInt64(substring(bytes, word * 8 + 1, 8))) AS bit`;
};

/** A sub-select of these persons and, for each that was merged since, also of the person into which it was merged. */
export const personSetSql = (projectId: number, persons: Chunks): Sql => {
  const actors = actorsInSql(persons);
  return sql`(${actors}
    UNION ALL
    SELECT target AS actor FROM person_redirects FINAL
    WHERE project_id = ${unsigned(projectId)} AND source GLOBAL IN (${actors}))`;
};
