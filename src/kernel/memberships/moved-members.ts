import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { recordDeleted, recordMerged } from './departures.js';
import { recordParted } from './record-parted.js';
import { recordMembers } from './record-members.js';
import { type MemberMoves, type MembersParted } from '../identity/member-moves.js';
import { plannedByKey } from '../../platform/postgres/planned-by-key.js';
import { type Move } from '../identity/write.js';
import { staticMemberKey } from '../projection/cargo/static-cohorts.cargo.js';
import { enqueue } from '../projection/outbox/outbox.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

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

const giveBack = (projectId: number, { source, target, back }: MembersParted): PgSql => {
  const project = bound(projectId);
  return pgSql`
    INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at, upload, query_run)
    SELECT ${project}, m.cohort_id, ${bound(target)}::bigint, m.added_at, m.upload, m.query_run
    FROM static_cohort_members AS m
    WHERE m.project_id = ${project} AND m.person_id = ${bound(source)}::bigint
      AND m.cohort_id = ANY (${bound(back)}::integer[])
    ON CONFLICT DO NOTHING
    RETURNING cohort_id`;
};

const takeOut = (projectId: number, { source, out }: MembersParted): PgSql => pgSql`
  DELETE FROM static_cohort_members
  WHERE project_id = ${bound(projectId)} AND person_id = ${bound(source)}::bigint
    AND cohort_id = ANY (${bound(out)}::integer[])
  RETURNING cohort_id`;

/** Static cohorts list persons one by one, so a merge changes their lists; every cohort has recorded members. */
@Injectable()
export class MovedMembers implements MemberMoves {
  async move(client: ClientBase, projectId: number, moves: readonly Move[]): Promise<void> {
    await client.query({ name: 'identity-members', text: move, values: [projectId, JSON.stringify(moves)] });
    // By now the other statements about these persons are on their way, so these locks are the last.
    await recordMerged(client, projectId, moves);
  }

  async remove(client: ClientBase, projectId: number, personIds: readonly string[]): Promise<void> {
    await recordDeleted(client, projectId, personIds);
  }

  async part(client: ClientBase, projectId: number, parted: MembersParted, now: Date): Promise<void> {
    const { source, target, back, out } = parted;
    if (back.length + out.length > 0) await partStatic(client, projectId, parted, now);
    await recordParted(client, projectId, [source, target]);
  }
}

const partStatic = async (client: ClientBase, projectId: number, parted: MembersParted, now: Date): Promise<void> => {
  const { source, target, back, out } = parted;
  const entered = await client.query<{ cohort_id: number }>(giveBack(projectId, parted));
  const left = await client.query<{ cohort_id: number }>(takeOut(projectId, parted));
  const refs = [
    ...back.map((cohort) => staticMemberKey(cohort, target)),
    ...[...back, ...out].map((cohort) => staticMemberKey(cohort, source)),
  ];
  await enqueue(client, projectId, [{ kind: 'static_cohorts', refs: [...new Set(refs)] }], now);
  const reason = 'split' as const;
  await recordMembers(client, projectId, [
    ...left.rows.map(({ cohort_id: cohortId }) => ({ cohortId, reason, entering: [], leaving: [Number(source)] })),
    ...entered.rows.map(({ cohort_id: cohortId }) => ({ cohortId, reason, entering: [Number(target)], leaving: [] })),
  ]);
};
