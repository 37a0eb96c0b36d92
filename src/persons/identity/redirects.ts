import { type ClientBase } from 'pg';
import { type Move } from './write.js';
import { plannedByKey } from './planned-by-key.js';

// A person that was merged into one of the sources is now redirected to that source's target: redirects are never chained.
const write = `
  WITH moves AS (
    SELECT * FROM jsonb_to_recordset($2::jsonb) AS move (source bigint, target bigint) WHERE ${plannedByKey('move.source')}
  ), followed AS (
    UPDATE person_redirects AS r SET target = moves.target FROM moves
    WHERE r.project_id = $1 AND r.target = moves.source
    RETURNING r.source
  ), merged AS (
    INSERT INTO person_redirects (project_id, source, target) SELECT $1, source, target FROM moves
    RETURNING source
  ), members AS (
    INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at)
    SELECT $1, m.cohort_id, moves.target, min(m.added_at)
    FROM moves JOIN static_cohort_members AS m ON m.project_id = $1 AND m.person_id = moves.source
    GROUP BY m.cohort_id, moves.target
    ON CONFLICT (project_id, cohort_id, person_id) DO NOTHING
  )
  SELECT source FROM followed UNION ALL SELECT source FROM merged`;

/**
 * Records merges, so that cohorts calculated before recognise their members; memberships of static cohorts move. Returns the
 * ids of all redirected persons. The sources must still exist, and both sides must be locked.
 */
export const redirect = async (client: ClientBase, projectId: number, moves: readonly Move[]): Promise<string[]> => {
  if (moves.length === 0) return [];
  const { rows } = await client.query<{ source: string }>({
    name: 'identity-redirect',
    text: write,
    values: [projectId, JSON.stringify(moves)],
  });
  return rows.map(({ source }) => source);
};
