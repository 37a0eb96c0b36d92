import { cohortMembersTable } from '../../stores/clickhouse/schema/projected-tables.js';
import { join, sql, type Sql } from '../../stores/clickhouse/sql.js';
import { integer, list, unsigned } from '../../stores/clickhouse/values.js';
import { type Cargo } from './cargo.js';
import { bound, pgSql, type PgSql } from '../../stores/postgres/sql.js';

/** Members of a static cohort are added and removed one by one, so they have only one version. */
export const staticCohortVersion = 1;

export const staticMemberKey = (cohortId: number, personId: string): string => `${cohortId}:${personId}`;

const partsOf = (key: string): { readonly cohortId: string; readonly personId: string } => {
  const [cohortId = '', personId = ''] = key.split(':');
  return { cohortId, personId };
};

/** A list is one bound value, which may have at most 131,072 characters on a server. */
const keysInList = 5_000;

const push = (groups: Map<string, string[]>, name: string, value: string): void => {
  const group = groups.get(name);
  if (group) group.push(value);
  else groups.set(name, [value]);
};

const conditionsOf = (
  groups: ReadonlyMap<string, readonly string[]>,
  condition: (id: bigint, slice: readonly bigint[]) => Sql,
): Sql[] =>
  [...groups].flatMap(([id, others]) =>
    Array.from({ length: Math.ceil(others.length / keysInList) }, (_, at) =>
      condition(BigInt(id), others.slice(at * keysInList, (at + 1) * keysInList).map(BigInt)),
    ),
  );

/** Reads key by key, for the same reason as the cargo of events. */
const selectPresent = (projectId: number, keys: readonly string[]): PgSql => {
  const parts = keys.map(partsOf);
  const cohortIds = parts.map(({ cohortId }) => cohortId);
  const personIds = parts.map(({ personId }) => personId);
  return pgSql`
    SELECT requested.key
    FROM unnest(${bound(keys)}::text[], ${bound(cohortIds)}::integer[], ${bound(personIds)}::bigint[])
      AS requested (key, cohort_id, person_id)
    CROSS JOIN LATERAL (
      SELECT FROM static_cohort_members
      WHERE project_id = ${bound(projectId)} AND cohort_id = requested.cohort_id AND person_id = requested.person_id LIMIT 1
    ) m`.named('projection-static-cohorts');
};

/** Members as they are now; former members are removed. A member that is stored twice counts once. */
export const staticCohortsCargo: Cargo = {
  kind: 'static_cohorts',
  table: cohortMembersTable,
  sizes: null,
  read: async (reader, projectId, keys) => {
    const { rows } = await reader.query<{ key: string }>(selectPresent(projectId, keys));
    const present = new Set(rows.map(({ key }) => key));
    return {
      rows: rows.map(({ key }) => {
        const { cohortId, personId } = partsOf(key);
        return { project_id: projectId, cohort_id: cohortId, version: staticCohortVersion, actor: personId };
      }),
      gone: keys.filter((key) => !present.has(key)),
    };
  },
  // A run of a query removes thousands of members of one cohort; a condition for each would be too many for the engine.
  isGone: (keys) => {
    const byCohort = new Map<string, string[]>();
    const byPerson = new Map<string, string[]>();
    for (const { cohortId, personId } of keys.map(partsOf)) {
      push(byCohort, cohortId, personId);
      push(byPerson, personId, cohortId);
    }
    const conditions =
      byCohort.size <= byPerson.size
        ? conditionsOf(byCohort, (id, slice) => sql`cohort_id = ${unsigned(id)} AND actor IN (${list(integer, slice)})`)
        : conditionsOf(
            byPerson,
            (id, slice) => sql`actor = ${integer(id)} AND cohort_id IN (${list(unsigned, slice)})`,
          );
    return sql`version = ${unsigned(staticCohortVersion)} AND (${join(
      conditions.map((condition) => sql`(${condition})`),
      sql` OR `,
    )})`;
  },
};
