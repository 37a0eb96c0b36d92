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
  /** The reason why the persons enter, when neither an upload nor a query is the reason. */
  readonly reason?: ChangeReason;
}

/** One transaction adds at most this many persons, so that other requests wait for some milliseconds only. */
export const membersAtOnce = 1000;

/** The members of static cohorts. PostgreSQL is their source of truth. */
@Injectable()
export class StaticMembers {
  constructor(private readonly clickhouse: ClickHouse) {}

  /**
   * Returns the persons that each candidate names, which may be none. The id of a merged person stands for the person into which
   * it was merged, as if it had been a member before the merge.
   */
  async personsOf(client: ClientBase, projectId: number, candidates: readonly Candidate[]): Promise<string[][]> {
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
   * Adds members, adds the results of the candidates to the report of their upload, and returns the persons who are new members.
   * The caller repeats the transaction when an error `mayBeRepeated`.
   */
  async add(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: readonly Candidate[],
    { now, upload, reason = upload === null ? 'calculated' : 'uploaded' }: Addition,
  ): Promise<string[]> {
    const named = await this.personsOf(client, projectId, candidates);
    const persons = [...new Set(named.flat())];
    // The locks keep these persons from being deleted or merged until the transaction ends.
    const locked = await client.query<{ id: string }>(
      pgSql`SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(persons)}::bigint[])
       ORDER BY id FOR KEY SHARE`,
    );
    if (
      locked.rowCount !== persons.length &&
      !candidates.every(({ kind }) => kind === 'email' || kind === 'unreadable')
    )
      throw new RetryTransaction();
    const [project, cohort] = [bound(projectId), bound(cohortId)];
    const run = pgSql`(SELECT query_runs FROM cohorts WHERE project_id = ${project} AND id = ${cohort})`;
    await client.query(
      pgSql`UPDATE static_cohort_members SET query_run = ${run}
       WHERE project_id = ${project} AND cohort_id = ${cohort} AND person_id = ANY (${bound(persons)}::bigint[])
         AND query_run < ${run}`,
    );
    const { rows } = await client.query<{ person_id: string; is_new: boolean }>(
      // `xmax` is 0 in rows that this statement inserted. Members that an earlier row of the same upload named are not returned.
      pgSql`INSERT INTO static_cohort_members AS m (project_id, cohort_id, person_id, added_at, upload, query_run)
       SELECT ${project}, ${cohort}, p.id, ${bound(now)}, ${bound(upload)}::integer, ${run} FROM persons AS p
       WHERE p.project_id = ${project} AND p.id = ANY (${bound(persons)}::bigint[])
       ON CONFLICT (project_id, cohort_id, person_id) DO UPDATE SET upload = EXCLUDED.upload
         WHERE m.upload IS DISTINCT FROM EXCLUDED.upload AND EXCLUDED.upload IS NOT NULL
       RETURNING person_id, xmax = 0 AS is_new`,
    );
    const added = rows.filter(({ is_new }) => is_new).map(({ person_id }) => person_id);
    await this.enqueueMembers(client, projectId, cohortId, added, now);
    if (upload !== null) {
      const existing = new Set(locked.rows.map(({ id }) => id));
      const known = named.map((ids) => ids.filter((id) => existing.has(id)));
      const first = rows.map(({ person_id }) => person_id);
      await addUploadCounts(client, projectId, cohortId, upload, countCandidates(candidates, known, first));
    }
    await recordMembers(client, projectId, [{ cohortId, reason, entering: added.map(Number), leaving: [] }]);
    return added;
  }

  /** Adds members that the cohort's query has selected. The cohort's row must be locked. */
  async addSelected(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: readonly Candidate[],
    addition: Addition,
  ): Promise<void> {
    const added = await this.add(client, projectId, cohortId, candidates, addition);
    if (added.length === 0) return;
    await client.query(
      pgSql`UPDATE cohorts SET members_came = members_came + ${bound(added.length)}
       WHERE project_id = ${bound(projectId)} AND id = ${bound(cohortId)} AND query_runs > 0`,
    );
  }

  /** Removes a member. Returns false when the person was no member. */
  async remove(client: ClientBase, projectId: number, cohortId: number, personId: string, now: Date): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`
        DELETE FROM static_cohort_members
        WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND person_id = ${bound(personId)}`,
    );
    if (rowCount === 0) return false;
    await this.enqueueFormer(client, projectId, cohortId, [personId], now);
    await recordMembers(client, projectId, [
      { cohortId, reason: 'removed', entering: [], leaving: [Number(personId)] },
    ]);
    return true;
  }

  /**
   * Removes the next members, after the given person, that the last run of the cohort's query did not select. Returns the last
   * removed person; null if there are no more. The cohort's row must be locked.
   */
  async removeUnselected(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    after: string,
    now: Date,
  ): Promise<string | null> {
    const [project, cohort] = [bound(projectId), bound(cohortId)];
    const { rows } = await client.query<{ person_id: string }>(
      pgSql`SELECT m.person_id FROM static_cohort_members AS m
       WHERE m.project_id = ${project} AND m.cohort_id = ${cohort} AND m.person_id > ${bound(after)}::bigint
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
    const leaving = removed.rows.map(({ person_id }) => person_id);
    await this.enqueueFormer(client, projectId, cohortId, leaving, now);
    await recordMembers(client, projectId, [
      { cohortId, reason: 'calculated', entering: [], leaving: leaving.map(Number) },
    ]);
    return ids.length < membersAtOnce ? null : (ids.at(-1) ?? null);
  }

  /** Sends every member to ClickHouse again after it was rebuilt. */
  async enqueueAll(client: ClientBase, projectId: number, cohortId: number, now: Date): Promise<void> {
    let after: string | undefined = '0';
    while (after !== undefined) {
      const { rows }: { rows: { person_id: string }[] } = await client.query<{ person_id: string }>(
        pgSql`SELECT person_id FROM static_cohort_members
         WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND person_id > ${bound(after)}::bigint
         ORDER BY person_id LIMIT ${bound(membersAtOnce)}`,
      );
      const ids = rows.map(({ person_id }) => person_id);
      await this.enqueueMembers(client, projectId, cohortId, ids, now);
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
