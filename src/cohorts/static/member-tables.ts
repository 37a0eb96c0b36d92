import { memberKindOf, type MemberKind } from '../../kernel/memberships/record-members.js';
import { type PgSql, pgSql } from '../../platform/postgres/sql.js';

/** A static cohort; `groupType` is the index of the type of its members, null for persons. */
export interface StaticCohort {
  readonly id: number;
  readonly groupType: number | null;
}

interface MemberTable {
  readonly table: PgSql;
  /** The column that names the member. */
  readonly member: PgSql;
  /** The table of those who can be members. */
  readonly named: PgSql;
  /** The column of `named` in whose order its rows are locked. */
  readonly order: PgSql;
}

const tables: Readonly<Record<MemberKind, MemberTable>> = {
  persons: {
    table: pgSql`static_cohort_members`,
    member: pgSql`person_id`,
    named: pgSql`persons`,
    order: pgSql`id`,
  },
  groups: { table: pgSql`static_cohort_groups`, member: pgSql`group_id`, named: pgSql`groups`, order: pgSql`actor` },
};

/** The tables of the members of a cohort. */
export const tablesOf = ({ groupType }: StaticCohort): MemberTable => tables[memberKindOf(groupType)];
