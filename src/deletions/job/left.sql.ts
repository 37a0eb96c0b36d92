import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { instant, list, text, unsigned } from '../../stores/clickhouse/values.js';
import { type Removal } from '../../events/removal/remove-events.js';

const leftOf = (projectId: number, { distinctIds, receivedUpTo }: Removal): Sql => sql`
  FROM events WHERE project_id = ${unsigned(projectId)} AND distinct_id IN (${list(text, distinctIds)})
    AND received_at <= ${instant(receivedUpTo)}`;

export const leftCountSql = (projectId: number, removal: Removal): Sql =>
  sql`SELECT count() AS number ${leftOf(projectId, removal)}`;

export const leftUuidsSql = (projectId: number, removal: Removal, limit: number): Sql =>
  sql`SELECT DISTINCT toString(uuid) AS id ${leftOf(projectId, removal)} LIMIT ${unsigned(limit)}`;
