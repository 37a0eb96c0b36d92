import { type Sql, sql, unsigned } from '../../platform/clickhouse/sql.js';

export const earliestEventSql = (projectId: number): Sql =>
  sql`SELECT minOrNull(timestamp) AS earliest FROM events WHERE project_id = ${unsigned(projectId)}`;
