import { numberOnEveryReplica, onEveryReplica } from '../../stores/clickhouse/schema/known-tables.sql.js';
import { eventsTable } from '../../stores/clickhouse/schema/projected-tables.js';
import { type SchemaForm } from '../../stores/clickhouse/schema/table.js';
import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { instant, list, text, unsigned } from '../../stores/clickhouse/values.js';
import { type Removal } from '../../events/removal/remove-events.js';

const leftOf = (form: SchemaForm, projectId: number, { distinctIds, receivedUpTo }: Removal): Sql => sql`
  FROM ${onEveryReplica(form, eventsTable.name)} WHERE project_id = ${unsigned(projectId)} AND distinct_id IN (${list(text, distinctIds)})
    AND received_at <= ${instant(receivedUpTo)}`;

export const leftCountSql = (form: SchemaForm, projectId: number, removal: Removal): Sql =>
  sql`SELECT ${numberOnEveryReplica(form, sql`uuid`)} AS number ${leftOf(form, projectId, removal)}`;

export const leftUuidsSql = (form: SchemaForm, projectId: number, removal: Removal, limit: number): Sql =>
  sql`SELECT DISTINCT toString(uuid) AS id ${leftOf(form, projectId, removal)} LIMIT ${unsigned(limit)}`;
