import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';

/**
 * Selects the persons that have one of the e-mail addresses, in any case, as the e-mail parameter of the persons list does;
 * PostgreSQL has no index for that. `place` is the position of the address in the list, counted from 1.
 */
export const emailOwnersSql = (projectId: number, emails: readonly string[]): Sql => sql`
  SELECT owner.id AS id, toUInt32(email.place) AS place
  FROM (
    SELECT toString(p.id) AS id, lowerUTF8(ifNull(${propertyText(sql`p.properties`, 'email')}, '')) AS email
    FROM persons AS p FINAL
    WHERE p.project_id = ${unsigned(projectId)}
      AND lowerUTF8(ifNull(${propertyText(sql`p.properties`, 'email')}, '')) IN (
        SELECT lowerUTF8(arrayJoin(${list(text, emails)})))
  ) AS owner
  INNER JOIN (
    SELECT lowerUTF8(value) AS email, place
    FROM (SELECT ${list(text, emails)} AS emails)
    ARRAY JOIN emails AS value, arrayEnumerate(emails) AS place
  ) AS email ON email.email = owner.email`;
