import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { unsigned } from '../../stores/clickhouse/values.js';
import { type CalculationScope } from '../definition/criteria.sql.js';
import { type Definition } from '../definition/definition.js';
import { membersSql } from '../definition/members.sql.js';
import { type Membership } from '../members/members.sql.js';

export const writeMembersSql = (definition: Definition, membership: Membership, scope: CalculationScope): Sql => sql`
  INSERT INTO cohort_members (project_id, cohort_id, version, actor)
  SELECT ${unsigned(scope.project.id)}, ${unsigned(membership.id)}, ${unsigned(membership.version)}, members.actor
  FROM (${membersSql(definition, scope)}) AS members`;

export const writtenCountSql = (projectId: number, { id, version }: Membership): Sql => sql`
  SELECT count() AS count FROM cohort_members
  WHERE project_id = ${unsigned(projectId)} AND cohort_id = ${unsigned(id)} AND version = ${unsigned(version)}`;
