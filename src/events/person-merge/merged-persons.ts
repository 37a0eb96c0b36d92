import { type Queryable } from '../../stores/postgres/postgres.js';
import { bound, pgSql } from '../../stores/postgres/sql.js';
import { type MergedPersonDto } from './person-merge.dto.js';

/** Returns those of the sources that are merged into the person, in the order of ids. */
export const mergedPersonsOf = async (
  reader: Queryable,
  projectId: number,
  target: string,
  sources: readonly string[],
): Promise<MergedPersonDto[]> => {
  if (sources.length === 0) return [];
  const { rows } = await reader.query<{ source: string; uuid: string }>(
    pgSql`
      SELECT source, uuid FROM person_redirects
      WHERE project_id = ${bound(projectId)} AND source = ANY (${bound(sources)}::bigint[])
        AND target = ${bound(target)}::bigint AND uuid IS NOT NULL
      ORDER BY source`,
  );
  return rows.map(({ source, uuid }) => ({ id: Number(source), uuid }));
};
