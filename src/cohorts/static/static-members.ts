import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { RetryTransaction } from '../../stores/postgres/retry-transaction.js';
import { enqueue } from '../../projection/outbox/outbox.js';
import { staticMemberKey } from '../../projection/cargo/static-cohorts.cargo.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { type Candidate, type CandidateKind } from '../members/candidate.js';
import { emailOwnersSql } from './email-owners.sql.js';
import { mergedInto } from '../../persons/named-persons.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

type LookUp = (projectId: number, values: readonly string[]) => PgSql;

const lookUps: Readonly<Record<Exclude<CandidateKind, 'email'>, LookUp>> = {
  id: (projectId, ids) =>
    pgSql`SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(ids)}::bigint[])`,
  uuid: (projectId, uuids) =>
    pgSql`SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND uuid = ANY (${bound(uuids)}::uuid[])`,
  distinct_id: (projectId, distinctIds) => pgSql`
    SELECT d.person_id AS id FROM unnest(${bound(distinctIds)}::text[]) AS input (distinct_id)
    CROSS JOIN LATERAL (
      SELECT person_id FROM person_distinct_ids
      WHERE project_id = ${bound(projectId)} AND distinct_id = input.distinct_id LIMIT 1
    ) AS d`,
};

/** The largest number of persons that one transaction adds. */
export const membersAtOnce = 5000;

/** The members of static cohorts, whose truth is in PostgreSQL. */
@Injectable()
export class StaticMembers {
  constructor(
    private readonly postgres: Postgres,
    private readonly clickhouse: ClickHouse,
  ) {}

  /**
   * Returns the persons that candidates name; unknown candidates are left out. The id of a merged person stands for the person
   * into which it was merged, as if it had been a member before the merge.
   */
  async personsOf(client: ClientBase, projectId: number, candidates: readonly Candidate[]): Promise<string[]> {
    const ids = new Set<string>();
    for (const kind of ['id', 'uuid', 'distinct_id', 'email'] as const) {
      const values = candidates.filter((candidate) => candidate.kind === kind).map(({ value }) => value);
      if (values.length === 0) continue;
      const rows =
        kind === 'email'
          ? await this.clickhouse.query<{ id: string }>(emailOwnersSql(projectId, values), {
              project: { id: projectId },
            })
          : (await client.query<{ id: string }>(lookUps[kind](projectId, values))).rows;
      for (const { id } of rows) ids.add(id);
      if (rows.length === values.length || (kind !== 'id' && kind !== 'uuid')) continue;
      const missing = kind === 'id' ? values.filter((id) => !ids.has(id)) : values;
      const refs = missing.map((value) => (kind === 'id' ? { id: value } : { uuid: value }));
      for (const into of await mergedInto(client, projectId, refs)) if (into) ids.add(String(into.id));
    }
    return [...ids];
  }

  /**
   * Adds members and returns those who are new. The caller repeats the transaction when it throws an error that
   * `mayBeRepeated`.
   */
  async add(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: readonly Candidate[],
    now: Date,
  ): Promise<string[]> {
    const persons = await this.personsOf(client, projectId, candidates);
    if (persons.length === 0) return [];
    // The lock keeps these persons from being deleted or merged until the transaction ends.
    const locked = await client.query(
      pgSql`SELECT 1 FROM persons WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(persons)}::bigint[])
       ORDER BY id FOR KEY SHARE`,
    );
    if (locked.rowCount !== persons.length && !candidates.every(({ kind }) => kind === 'email'))
      throw new RetryTransaction();
    const [project, cohort] = [bound(projectId), bound(cohortId)];
    const run = pgSql`(SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${cohort})`;
    await client.query(
      pgSql`UPDATE static_cohort_members SET query_run = ${run}
       WHERE project_id = ${project} AND cohort_id = ${cohort} AND person_id = ANY (${bound(persons)}::bigint[])
         AND query_run < ${run}`,
    );
    const { rows } = await client.query<{ person_id: string }>(
      pgSql`INSERT INTO static_cohort_members (project_id, cohort_id, person_id, added_at, query_run)
       SELECT ${project}, ${cohort}, p.id, ${bound(now)}, ${run} FROM persons AS p
       WHERE p.project_id = ${project} AND p.id = ANY (${bound(persons)}::bigint[])
       ON CONFLICT (project_id, cohort_id, person_id) DO NOTHING
       RETURNING person_id`,
    );
    const added = rows.map(({ person_id }) => person_id);
    await this.enqueueMembers(client, projectId, cohortId, added, now);
    return added;
  }

  /** Adds members that the cohort's query has selected. The cohort's row must be locked. */
  async addSelected(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: readonly Candidate[],
    now: Date,
  ): Promise<void> {
    const added = await this.add(client, projectId, cohortId, candidates, now);
    if (added.length === 0) return;
    await client.query(
      pgSql`UPDATE cohorts SET members_came = members_came + ${bound(added.length)}
       WHERE project_id = ${bound(projectId)} AND id = ${bound(cohortId)} AND query_runs > 0`,
    );
  }

  /** Returns whether the person was a member. */
  async remove(client: ClientBase, projectId: number, cohortId: number, personId: string, now: Date): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`
        DELETE FROM static_cohort_members
        WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND person_id = ${bound(personId)}`,
    );
    if (rowCount === 0) return false;
    await this.enqueueFormer(client, projectId, cohortId, [personId], now);
    return true;
  }

  /**
   * Removes the next members after a person that the last run of the cohort's query did not select. Returns the last of them;
   * null if there are no more. The cohort's row must be locked.
   */
  async removeUnselected(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    behind: string,
    now: Date,
  ): Promise<string | null> {
    const [project, cohort] = [bound(projectId), bound(cohortId)];
    const { rows } = await client.query<{ person_id: string }>(
      pgSql`SELECT m.person_id FROM static_cohort_members AS m
       WHERE m.project_id = ${project} AND m.cohort_id = ${cohort} AND m.person_id > ${bound(behind)}::bigint
         AND m.query_run < (SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${cohort})
       ORDER BY m.person_id LIMIT ${bound(membersAtOnce)}`,
    );
    const ids = rows.map(({ person_id }) => person_id);
    if (ids.length === 0) return null;
    const removed = await client.query<{ person_id: string }>(
      pgSql`DELETE FROM static_cohort_members
       WHERE project_id = ${project} AND cohort_id = ${cohort} AND person_id = ANY (${bound(ids)}::bigint[])
         AND query_run < (SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${cohort})
       RETURNING person_id`,
    );
    await client.query(
      pgSql`UPDATE cohorts SET members_went = members_went + ${bound(removed.rows.length)}
       WHERE project_id = ${project} AND id = ${cohort}`,
    );
    await this.enqueueFormer(
      client,
      projectId,
      cohortId,
      removed.rows.map(({ person_id }) => person_id),
      now,
    );
    return ids.length < membersAtOnce ? null : (ids.at(-1) ?? null);
  }

  async count(projectId: number, cohortId: number): Promise<number> {
    const { rows } = await this.postgres.query<{ count: string }>(
      pgSql`SELECT count(*) FROM static_cohort_members WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)}`,
    );
    return Number(rows[0]?.count ?? 0);
  }

  /** Enqueues every member again, after ClickHouse was rebuilt. */
  async enqueueAll(client: ClientBase, projectId: number, cohortId: number, now: Date): Promise<void> {
    let behind: string | undefined = '0';
    while (behind !== undefined) {
      const { rows }: { rows: { person_id: string }[] } = await client.query<{ person_id: string }>(
        pgSql`SELECT person_id FROM static_cohort_members
         WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND person_id > ${bound(behind)}::bigint
         ORDER BY person_id LIMIT ${bound(membersAtOnce)}`,
      );
      const ids = rows.map(({ person_id }) => person_id);
      await this.enqueueMembers(client, projectId, cohortId, ids, now);
      behind = rows.length < membersAtOnce ? undefined : ids.at(-1);
    }
  }

  /** In ClickHouse a person may be a member under the ids of persons that were merged into it, too. */
  private async enqueueFormer(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    personIds: readonly string[],
    now: Date,
  ): Promise<void> {
    const { rows } = await client.query<{ source: string }>(
      pgSql`SELECT source FROM person_redirects
       WHERE project_id = ${bound(projectId)} AND target = ANY (${bound(personIds)}::bigint[])`,
    );
    await this.enqueueMembers(client, projectId, cohortId, [...personIds, ...rows.map(({ source }) => source)], now);
  }

  private enqueueMembers(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    personIds: readonly string[],
    now: Date,
  ): Promise<void> {
    const refs = personIds.map((id) => staticMemberKey(cohortId, id));
    return enqueue(client, projectId, [{ kind: 'static_cohorts', refs }], now);
  }
}
