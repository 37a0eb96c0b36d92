import { propertyText } from '../../stores/clickhouse/schema/property.sql.js';
import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { list, text, unsigned } from '../../stores/clickhouse/values.js';

/** Compares without regard to case, like the e-mail parameter of the persons list. PostgreSQL has no index for that. */
export const emailOwnersSql = (projectId: number, emails: readonly string[]): Sql => sql`
  SELECT toString(p.id) AS id FROM persons AS p FINAL
  WHERE p.project_id = ${unsigned(projectId)}
    AND lowerUTF8(ifNull(${propertyText(sql`p.properties`, 'email')}, '')) IN (
      SELECT lowerUTF8(arrayJoin(${list(text, emails)})))`;
