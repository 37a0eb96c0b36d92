import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { recordDeleted, recordMerged } from '../changes/departures.js';
import { MemberMoves } from '../../persons/member-moves.js';
import { plannedByKey } from '../../persons/identity/planned-by-key.js';
import { type Move } from '../../persons/identity/write.js';

// The memberships of the sources go with the sources. ClickHouse finds a moved member by its redirect.
const move = `
  INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at, upload, query_run)
  SELECT $1, m.cohort_id, move.target, min(m.added_at), max(m.upload), max(m.query_run)
  FROM jsonb_to_recordset($2::jsonb) AS move (source bigint, target bigint)
  JOIN static_cohort_members AS m ON m.project_id = $1 AND m.person_id = move.source
  WHERE ${plannedByKey('move.source')}
  GROUP BY m.cohort_id, move.target
  ON CONFLICT (project_id, cohort_id, person_id) DO UPDATE SET query_run = excluded.query_run
  WHERE static_cohort_members.query_run < excluded.query_run`;

/** Static cohorts list persons one by one, so a merge changes their lists; every cohort has recorded members. */
@Injectable()
export class MovedMembers extends MemberMoves {
  override async move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void> {
    await client.query({ name: 'identity-members', text: move, values: [projectId, JSON.stringify(moves)] });
    // By now the other statements about these persons are on their way, so these locks are the last.
    await recordMerged(client, projectId, moves);
  }

  override async remove(client: ClientBase, projectId: number, personIds: readonly string[]): Promise<void> {
    await recordDeleted(client, projectId, personIds);
  }
}
