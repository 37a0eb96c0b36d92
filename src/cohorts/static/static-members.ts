import { Injectable } from '@nestjs/common';
import { type ClientBase } from 'pg';
import { RetryTransaction } from '../../stores/postgres/retry-transaction.js';
import { enqueue } from '../../projection/outbox/outbox.js';
import { staticMemberKey } from '../../projection/cargo/static-cohorts.cargo.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { type Candidate } from '../members/candidate.js';
import { emailOwnersSql } from './email-owners.sql.js';
import { countCandidates } from './upload-counts.js';
import { addUploadCounts } from './upload-log.js';
import { mergedInto } from '../../persons/named-persons.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

interface Named {
  readonly id: string;
  /** The place of the value in the list, counted from 1. */
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
  /** The number of the upload that reports what became of the candidates; null without a report. */
  readonly upload: number | null;
}

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
   * Returns the persons that each candidate names; none for an unknown one. The id of a merged person stands for the person
   * into which it was merged, as if it had been a member before the merge.
   */
  async personsOf(client: ClientBase, projectId: number, candidates: readonly Candidate[]): Promise<string[][]> {
    const persons: string[][] = candidates.map(() => []);
    for (const kind of ['id', 'uuid', 'distinct_id', 'email'] as const) {
      const places = candidates.flatMap((candidate, at) => (candidate.kind === kind ? [at] : []));
      if (places.length === 0) continue;
      const values = places.map((at) => candidates[at]?.value ?? '');
      for (const { id, place } of await this.named(client, projectId, kind, values))
        persons[places[place - 1] ?? -1]?.push(id);
      if (kind !== 'id' && kind !== 'uuid') continue;
      const missing = places.filter((at) => persons[at]?.length === 0);
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
   * Adds members, reports the candidates to their upload and returns those persons who are new. The caller repeats the transaction
   * when it throws an error that `mayBeRepeated`.
   */
  async add(
    client: ClientBase,
    projectId: number,
    cohortId: number,
    candidates: readonly Candidate[],
    { now, upload }: Addition,
  ): Promise<string[]> {
    const named = await this.personsOf(client, projectId, candidates);
    const persons = [...new Set(named.flat())];
    // The lock keeps these persons from being deleted or merged until the transaction ends.
    const locked = await client.query<{ id: string }>(
      pgSql`SELECT id FROM persons WHERE project_id = ${bound(projectId)} AND id = ANY (${bound(persons)}::bigint[])
       ORDER BY id FOR KEY SHARE`,
    );
    if (
      locked.rowCount !== persons.length &&
      !candidates.every(({ kind }) => kind === 'email' || kind === 'unreadable')
    )
      throw new RetryTransaction();
    const project = bound(projectId);
    const { rows } = await client.query<{ person_id: string; is_new: boolean }>(
      // A row that this statement inserted has no `xmax`. A member that an earlier row of the upload named is not returned.
      pgSql`INSERT INTO static_cohort_members AS m (project_id, cohort_id, person_id, added_at, upload)
       SELECT ${project}, ${bound(cohortId)}, p.id, ${bound(now)}, ${bound(upload)}::integer FROM persons AS p
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
    return added;
  }

  /** Returns whether the person was a member. */
  async remove(client: ClientBase, projectId: number, cohortId: number, personId: string, now: Date): Promise<boolean> {
    const { rowCount } = await client.query(
      pgSql`
        DELETE FROM static_cohort_members
        WHERE project_id = ${bound(projectId)} AND cohort_id = ${bound(cohortId)} AND person_id = ${bound(personId)}`,
    );
    if (rowCount === 0) return false;
    // In ClickHouse the person may be a member under the ids of persons that were merged into it.
    const { rows } = await client.query<{ source: string }>(
      pgSql`SELECT source FROM person_redirects WHERE project_id = ${bound(projectId)} AND target = ${bound(personId)}`,
    );
    await this.enqueueMembers(client, projectId, cohortId, [personId, ...rows.map(({ source }) => source)], now);
    return true;
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
