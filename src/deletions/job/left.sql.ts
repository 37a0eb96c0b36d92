import { numberOnEveryReplica, onEveryReplica } from '../../platform/clickhouse/schema/known-tables.sql.js';
import { eventsTable } from '../../kernel/projection/schema/projected-tables.js';
import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { sql, type Sql } from '../../platform/clickhouse/sql.js';
import { instant, list, text, unsigned } from '../../platform/clickhouse/values.js';
import { type Removal } from '../../kernel/event-log/removal/remove-events.js';

const leftOf = (form: SchemaForm, projectId: number, { distinctIds, receivedUpTo }: Removal): Sql => sql`
  FROM ${onEveryReplica(form, eventsTable.name)} WHERE project_id = ${unsigned(projectId)} AND distinct_id IN (${list(text, distinctIds)})
    AND received_at <= ${instant(receivedUpTo)}`;

export const leftCountSql = (form: SchemaForm, projectId: number, removal: Removal): Sql =>
  sql`SELECT ${numberOnEveryReplica(form, sql`uuid`)} AS number ${leftOf(form, projectId, removal)}`;

export const leftUuidsSql = (form: SchemaForm, projectId: number, removal: Removal, limit: number): Sql =>
  sql`SELECT DISTINCT toString(uuid) AS id ${leftOf(form, projectId, removal)} LIMIT ${unsigned(limit)}`;
