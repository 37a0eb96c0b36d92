import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { unsigned } from '../../platform/clickhouse/values.js';

export const earliestEventSql = (projectId: number): Sql =>
  sql`SELECT minOrNull(timestamp) AS earliest FROM events WHERE project_id = ${unsigned(projectId)}`;
