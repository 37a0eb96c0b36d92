import { latestExpiry, type ExpiryRule } from '../../kernel/event-log/removal/expiry-rule.js';
import { numberOnEveryReplica, onEveryReplica } from '../../platform/clickhouse/schema/known-tables.sql.js';
import { eventsTable } from '../../kernel/projection/schema/projected-tables.js';
import { type SchemaForm } from '../../platform/clickhouse/schema/table.js';
import { type Sql, identifier, instant, join, list, sql, text, unsigned } from '../../platform/clickhouse/sql.js';

/** Groups names that expire at the same moment into one condition, so that the primary key (name, day) can be used. */
const byMoment = ({ beforeByName }: ExpiryRule): ReadonlyMap<number, readonly string[]> => {
  const names = new Map<number, string[]>();
  for (const [name, before] of beforeByName) {
    if (before) names.set(before.getTime(), [...(names.get(before.getTime()) ?? []), name]);
  }
  return names;
};

const expired = (projectId: number, rule: ExpiryRule, events: Sql = identifier(eventsTable.name)): Sql => {
  const latest = latestExpiry(rule);
  const others = rule.beforeByName.map(([name]) => name);
  const conditions = [
    ...[...byMoment(rule)].map(
      ([before, names]) => sql`(event IN (${list(text, names)}) AND timestamp < ${instant(new Date(before))})`,
    ),
    ...(rule.before
      ? [
          others.length === 0
            ? sql`timestamp < ${instant(rule.before)}`
            : sql`(event NOT IN (${list(text, others)}) AND timestamp < ${instant(rule.before)})`,
        ]
      : []),
  ];
  if (!latest) return sql`FROM ${events} WHERE project_id = ${unsigned(projectId)} AND 0`;
  return sql`
    FROM ${events} WHERE project_id = ${unsigned(projectId)} AND timestamp < ${instant(latest)}
      AND received_at <= ${instant(rule.receivedUpTo)} AND (${join(conditions, sql` OR `)})`;
};

const remaining = (form: SchemaForm, projectId: number, rule: ExpiryRule): Sql =>
  expired(projectId, rule, onEveryReplica(form, eventsTable.name));

export const remainingExpiredSql = (form: SchemaForm, projectId: number, rule: ExpiryRule): Sql =>
  sql`SELECT ${numberOnEveryReplica(form, sql`uuid`)} AS number ${remaining(form, projectId, rule)}`;

export const expiredUuidsSql = (form: SchemaForm, projectId: number, rule: ExpiryRule, limit: number): Sql =>
  sql`SELECT DISTINCT toString(uuid) AS id ${remaining(form, projectId, rule)} LIMIT ${unsigned(limit)}`;

/**
 * Counts expired events by month in UTC, as 202403. Dates are not used: those of ClickHouse end long before the moments of events
 * do.
 */
export const expiredMonthsSql = (projectId: number, rule: ExpiryRule): Sql => sql`
  SELECT toYYYYMM(timestamp) AS month, count() AS number ${expired(projectId, rule)}
  GROUP BY month ORDER BY month`;

/** Selects the names with the most expired events, and the number of all names with expired events. */
export const expiredNamesSql = (projectId: number, rule: ExpiryRule, limit: number): Sql => sql`
  SELECT toString(event) AS name, count() AS number, min(timestamp) AS oldest, min(oldest) OVER () AS oldest_of_all,
    count() OVER () AS names
  ${expired(projectId, rule)} GROUP BY event ORDER BY number DESC, name LIMIT ${unsigned(limit)}`;
