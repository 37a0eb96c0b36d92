import { numberOnEveryReplica, onEveryReplica } from '../../platform/clickhouse/schema/known-tables.sql.js';
import { eventsTable } from '../../kernel/projection/schema/projected-tables.js';
import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, instant, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';
import { type Removal } from '../../kernel/event-log/removal/remove-events.js';

const remainingOf = (form: SchemaForm, projectId: number, { distinctIds, receivedUpTo }: Removal): Sql => sql`
  FROM ${onEveryReplica(form, eventsTable.name)} WHERE project_id = ${unsigned(projectId)} AND distinct_id IN (${list(text, distinctIds)})
    AND received_at <= ${instant(receivedUpTo)}`;

export const remainingCountSql = (form: SchemaForm, projectId: number, removal: Removal): Sql =>
  sql`SELECT ${numberOnEveryReplica(form, sql`uuid`)} AS number ${remainingOf(form, projectId, removal)}`;

export const remainingUuidsSql = (form: SchemaForm, projectId: number, removal: Removal, limit: number): Sql =>
  sql`SELECT DISTINCT toString(uuid) AS id ${remainingOf(form, projectId, removal)} LIMIT ${unsigned(limit)}`;
