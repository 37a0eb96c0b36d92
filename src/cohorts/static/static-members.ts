import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { RetryTransaction } from '../../platform/postgres/transaction.js';
import { enqueue } from '../../kernel/projection/outbox/outbox.js';
import { staticMemberKey } from '../../kernel/projection/cargo/cohorts.cargo.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { type ChangeReason } from '../../kernel/memberships/cohort-change.entity.js';
import { recordMembers } from '../../kernel/memberships/record-members.js';
import { type Candidate } from '../../kernel/memberships/candidate.js';
import { emailOwnersSql } from './email-owners.sql.js';
import { type StaticCohort, tablesOf } from './member-tables.js';
import { groupsNamed } from './named-groups.js';
import { countCandidates } from '../record/upload-counts.js';
import { addUploadCounts } from '../record/uploads.repository.js';
import { mergedInto } from '../../persons/reading/named-persons.js';
import { bound, pgSql, type PgSql } from '../../platform/postgres/sql.js';

interface Named {
  readonly id: string;
  /** The position of the looked-up value in the list, counted from 1. */
  readonly place: number;
}

type LookUp = (projectId: number, values: readonly string[]) => PgSql;

const lookUps: Readonly<Record<'id' | 'uuid' | 'distinct_id', LookUp>> = {
  id: (projectId, ids) => pgSql`
    SELECT p.id, input.place::int FROM unnest(${bound(ids)}::bigint[]) WITH ORDINALITY AS input (id, place)
    CROSS JOIN LATERAL (SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND id = input.id LIMIT 1) AS p`,
  uuid: (projectId, uuids) => pgSql`
    SELECT p.id, input.place::int FROM unnest(${bound(uuids)}::uuid[]) WITH ORDINALITY AS input (uuid, place)
    CROSS JOIN LATERAL (SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND uuid = input.uuid LIMIT 1) AS p`,
  distinct_id: (projectId, distinctIds) => pgSql`
    SELECT d.person_id AS id, input.place::int
    FROM unnest(${bound(distinctIds)}::text[]) WITH ORDINALITY AS input (distinct_id, place)
    CROSS JOIN LATERAL (
      SELECT person_id FROM person_distinct_ids
      WHERE project_id = ${bound(projectId)} AND distinct_id = input.distinct_id LIMIT 1
    ) AS d`,
};

export interface Addition {
  readonly now: Date;
  /** The number of the upload whose report counts the candidates; null without a report. */
  readonly upload: number | null;
  /** The reason why the members enter, when neither an upload nor a query is the reason. */
  readonly reason?: ChangeReason;
}

/** One transaction adds at most this many members, so that other requests wait for some milliseconds only. */
export const membersAtOnce = 1000;

/** The members of static cohorts. PostgreSQL is their source of truth. */
@Injectable()
export class StaticMembers {
  constructor(private readonly clickhouse: ClickHouse) {}

  /** Returns the persons or groups that each candidate names, which may be none. */
  membersNamed(
    client: ClientBase,
    projectId: number,
    { groupType }: StaticCohort,
    candidates: readonly Candidate[],
  ): Promise<string[][]> {
    return groupType === null
      ? this.personsOf(client, projectId, candidates)
      : groupsNamed(client, projectId, groupType, candidates);
  }

  /**
   * Returns the persons that each candidate names. The id of a merged person stands for the person into which it was merged, as
   * if it had been a member before the merge.
   */
  private async personsOf(
    client: ClientBase,
    projectId: number,
    candidates: readonly Candidate[],
  ): Promise<string[][]> {
    const persons: string[][] = candidates.map(() => []);
    for (const kind of ['id', 'uuid', 'distinct_id', 'email'] as const) {
      const indexes = candidates.flatMap((candidate, at) => (candidate.kind === kind ? [at] : []));
      if (indexes.length === 0) continue;
      const values = indexes.map((at) => candidates[at]?.value ?? '');
      for (const { id, place } of await this.named(client, projectId, kind, values))
        persons[indexes[place - 1] ?? -1]?.push(id);
      if (kind !== 'id' && kind !== 'uuid') continue;
      const missing = indexes.filter((at) => persons[at]?.length === 0);
      const refs = missing.map((at) => {
        const { value = '' } = candidates[at] ?? {};
        return kind === 'id' ? { id: value } : { uuid: value };
      });
      const into = await mergedInto(client, projectId, refs);
      missing.forEach((at, nth) => {
        const target = into[nth];
        if (target) persons[at]?.push(String(target.id));
      });
    }
    return persons;
  }

  private async named(
    client: ClientBase,
    projectId: number,
    kind: 'id' | 'uuid' | 'distinct_id' | 'email',
    values: readonly string[],
  ): Promise<readonly Named[]> {
    if (kind === 'email')
      return this.clickhouse.query<Named>(emailOwnersSql(projectId, values), { project: { id: projectId } });
    return (await client.query<Named>(lookUps[kind](projectId, values))).rows;
  }

  /**
   * Adds members, adds the results of the candidates to the report of their upload, and returns the ids of the new members.
   * The caller repeats the transaction when an error `mayBeRepeated`.
   */
  async add(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    candidates: readonly Candidate[],
    { now, upload, reason = upload === null ? 'calculated' : 'uploaded' }: Addition,
  ): Promise<string[]> {
    const named = await this.membersNamed(client, projectId, cohort, candidates);
    const members = [...new Set(named.flat())];
    const [project, id] = [bound(projectId), bound(cohort.id)];
    const { table: memberTable, member, named: from, order } = tablesOf(cohort);
    // The locks keep these persons or groups from being deleted or merged until the transaction ends.
    const locked = await client.query<{ id: string }>(
      pgSql`SELECT id FROM ${from} WHERE project_id = ${project} AND id = ANY (${bound(members)}::bigint[])
       ORDER BY ${order} FOR KEY SHARE`,
    );
    if (
      locked.rowCount !== members.length &&
      !candidates.every(({ kind }) => kind === 'email' || kind === 'unreadable')
    )
      throw new RetryTransaction();
    const run = pgSql`(SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${id})`;
    await client.query(
      pgSql`UPDATE ${memberTable} SET query_run = ${run}
       WHERE project_id = ${project} AND cohort_id = ${id} AND ${member} = ANY (${bound(members)}::bigint[])
         AND query_run < ${run}`,
    );
    const { rows } = await client.query<{ member: string; is_new: boolean }>(
      // `xmax` is 0 in rows that this statement inserted. Members that an earlier row of the same upload named are not returned.
      pgSql`INSERT INTO ${memberTable} AS m (project_id, cohort_id, ${member}, added_at, upload, query_run)
       SELECT ${project}, ${id}, p.id, ${bound(now)}, ${bound(upload)}::integer, ${run} FROM ${from} AS p
       WHERE p.project_id = ${project} AND p.id = ANY (${bound(members)}::bigint[])
       ON CONFLICT (project_id, cohort_id, ${member}) DO UPDATE SET upload = EXCLUDED.upload
         WHERE m.upload IS DISTINCT FROM EXCLUDED.upload AND EXCLUDED.upload IS NOT NULL
       RETURNING ${member} AS member, xmax = 0 AS is_new`,
    );
    const added = rows.filter(({ is_new }) => is_new).map((row) => row.member);
    await this.enqueueMembers(client, projectId, cohort, added, now);
    if (upload !== null) {
      const existing = new Set(locked.rows.map((row) => row.id));
      const known = named.map((ids) => ids.filter((one) => existing.has(one)));
      const first = rows.map((row) => row.member);
      await addUploadCounts(client, projectId, cohort.id, upload, countCandidates(candidates, known, first));
    }
    const entering = added.map(Number);
    await recordMembers(client, projectId, [{ cohortId: cohort.id, reason, entering, leaving: [] }]);
    return added;
  }

  /** Adds members that the cohort's query has selected. The cohort's row must be locked. */
  async addSelected(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    candidates: readonly Candidate[],
    addition: Addition,
  ): Promise<void> {
    const added = await this.add(client, projectId, cohort, candidates, addition);
    if (added.length === 0) return;
    await client.query(
      pgSql`UPDATE cohorts SET members_came = members_came + ${bound(added.length)}
       WHERE project_id = ${bound(projectId)} AND id = ${bound(cohort.id)} AND query_runs > 0`,
    );
  }

  /** Removes a member. Returns false when the person or group was no member. */
  async remove(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    memberId: string,
    now: Date,
  ): Promise<boolean> {
    const { table: memberTable, member } = tablesOf(cohort);
    const { rowCount } = await client.query(
      pgSql`
        DELETE FROM ${memberTable}
        WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohort.id)} AND ${member} = ${bound(memberId)}`,
    );
    if (rowCount === 0) return false;
    await this.enqueueFormer(client, projectId, cohort, [memberId], now);
    const leaving = [Number(memberId)];
    await recordMembers(client, projectId, [{ cohortId: cohort.id, reason: 'removed', entering: [], leaving }]);
    return true;
  }

  /**
   * Removes the next members, after the given one, that the last run of the cohort's query did not select. Returns the last
   * removed member; null if there are no more. The cohort's row must be locked.
   */
  async removeUnselected(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    after: string,
    now: Date,
  ): Promise<string | null> {
    const [project, id] = [bound(projectId), bound(cohort.id)];
    const { table: memberTable, member } = tablesOf(cohort);
    const { rows } = await client.query<{ member: string }>(
      pgSql`SELECT m.${member} AS member FROM ${memberTable} AS m
       WHERE m.project_id = ${project} AND m.cohort_id = ${id} AND m.${member} > ${bound(after)}::bigint
         AND m.query_run < (SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${id})
       ORDER BY m.${member} LIMIT ${bound(membersAtOnce)}`,
    );
    const ids = rows.map((row) => row.member);
    if (ids.length === 0) return null;
    const removed = await client.query<{ member: string }>(
      pgSql`DELETE FROM ${memberTable}
       WHERE project_id = ${project} AND cohort_id = ${id} AND ${member} = ANY (${bound(ids)}::bigint[])
         AND query_run < (SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${id})
       RETURNING ${member} AS member`,
    );
    await client.query(
      pgSql`UPDATE cohorts SET members_went = members_went + ${bound(removed.rows.length)}
       WHERE project_id = ${project} AND id = ${id}`,
    );
    const gone = removed.rows.map((row) => row.member);
    await this.enqueueFormer(client, projectId, cohort, gone, now);
    const leaving = gone.map(Number);
    await recordMembers(client, projectId, [{ cohortId: cohort.id, reason: 'calculated', entering: [], leaving }]);
    return ids.length < membersAtOnce ? null : (ids.at(-1) ?? null);
  }

  /** Sends every member to ClickHouse again after it was rebuilt. */
  async enqueueAll(client: ClientBase, projectId: number, cohort: StaticCohort, now: Date): Promise<void> {
    const { table: memberTable, member } = tablesOf(cohort);
    let after: string | undefined = '0';
    while (after !== undefined) {
      const { rows }: { rows: { member: string }[] } = await client.query<{ member: string }>(
        pgSql`SELECT ${member} AS member FROM ${memberTable}
         WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohort.id)} AND ${member} > ${bound(after)}::bigint
         ORDER BY ${member} LIMIT ${bound(membersAtOnce)}`,
      );
      const ids = rows.map((row) => row.member);
      await this.enqueueMembers(client, projectId, cohort, ids, now);
      after = rows.length < membersAtOnce ? undefined : ids.at(-1);
    }
  }

  /**
   * Removes the persons in ClickHouse also under the ids of persons that were merged into them: such an id may be stored as a
   * member.
   */
  private async enqueueFormer(
    client: ClientBase,
    projectId: number,
    cohort: StaticCohort,
    memberIds: readonly string[],
    now: Date,
  ): Promise<void> {
    if (cohort.groupType !== null) return this.enqueueMembers(client, projectId, cohort, memberIds, now);
    const { rows } = await client.query<{ source: string }>(
      pgSql`SELECT source FROM person_redirects
       WHERE project_id = ${bound(projectId)} AND target = ANY (${bound(memberIds)}::bigint[])`,
    );
    await this.enqueueMembers(client, projectId, cohort, [...memberIds, ...rows.map(({ source }) => source)], now);
  }

  private enqueueMembers(
    client: ClientBase,
    projectId: number,
    { id }: StaticCohort,
    memberIds: readonly string[],
    now: Date,
  ): Promise<void> {
    const refs = memberIds.map((member) => staticMemberKey(id, member));
    return enqueue(client, projectId, [{ kind: 'static_cohorts', refs }], now);
  }
}
