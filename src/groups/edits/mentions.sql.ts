import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type StoredGroup } from '../../kernel/groups/stored-groups.js';
import { type Sql, instant, integer, sql, text, unsigned } from '../../platform/clickhouse/sql.js';

/** Selects the events that describe a group, or those that only name it; the uuids, a line each. */
export const mentionsSql = (
  projectId: number,
  { type, key, actor, group_type_index: index }: StoredGroup,
  which: 'describing' | 'naming',
  { receivedUpTo, most }: { readonly receivedUpTo: Date; readonly most: number },
): Sql => {
  const describes = sql`(e.event = '$groupidentify'
    AND ifNull(${propertyText(sql`e.properties`, '$group_type')} = ${text(type)}, false)
    AND ifNull(${propertyText(sql`e.properties`, '$group_key')} = ${text(key)}, false))`;
  const names = sql`e.groups[${unsigned(index)}] = ${integer(BigInt(actor))}`;
  const condition = which === 'describing' ? describes : sql`${names} AND NOT ${describes}`;
  return sql`
    SELECT e.uuid FROM events AS e
    WHERE e.project_id = ${unsigned(projectId)} AND e.received_at <= ${instant(receivedUpTo)} AND ${condition}
    LIMIT ${unsigned(most)} FORMAT TSV`;
};
