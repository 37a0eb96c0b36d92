import { operatorNames, type Scrub } from '../../kernel/event-log/removal/scrub.js';
import { groupActor } from '../../kernel/projection/named-groups.js';
import { propertyText } from '../../kernel/projection/schema/property.sql.js';
import { type Sql, integer, join, sql, text } from '../../platform/clickhouse/sql.js';

/** True for an event `e` that has one of the parts. */
export const hasPartSql = (projectId: number, scrub: Scrub): Sql => {
  const properties = sql`e.properties`;
  if ('group' in scrub) return sql`has(mapValues(e.groups), ${integer(BigInt(groupActor(projectId, scrub.group)))})`;
  const of = (name: string) => sql`ifNull(${propertyText(properties, name)}, '')`;
  return sql`(${join(
    scrub.keys.flatMap((key) => [
      sql`${propertyText(properties, key)} IS NOT NULL`,
      ...operatorNames.map((name) => sql`JSONHas(${of(name)}, ${text(key)})`),
    ]),
    sql` OR `,
  )})`;
};
