import { type GroupName } from '../../kernel/projection/named-groups.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, sql, text, unsigned } from '../../platform/clickhouse/sql.js';

/** Selects the events that describe a group, in the order in which they were received. */
export const describingEventsSql = (projectId: number, { type, key }: GroupName, most: number): Sql => sql`
  SELECT toString(uuid) AS uuid
  FROM (
    SELECT e.uuid AS uuid, e.received_at AS received_at, e.timestamp AS timestamp FROM events AS e
    WHERE e.project_id = ${unsigned(projectId)} AND e.event = '$groupidentify'
      AND ${propertyText(sql`e.properties`, '$group_type')} = ${text(type)}
      AND ${propertyText(sql`e.properties`, '$group_key')} = ${text(key)}
  )
  ORDER BY received_at, timestamp, uuid LIMIT ${unsigned(most)}`;
