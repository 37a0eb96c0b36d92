import { propertyStoredAs, propertyText } from '../../stores/clickhouse/schema/property.sql.js';
import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { type Aggregate } from './math.js';

/** NULL where the event has no number under the key: absent, text, true, infinite. */
export const numberUnder = (key: string): Sql => {
  const properties = sql`e.properties`;
  const [real, whole] = [propertyStoredAs(properties, key, 'Float64'), propertyStoredAs(properties, key, 'Int64')];
  // Most are numbers already; only what is left is read out of its text.
  const number = sql`multiIf(isNotNull(${real}), ${real}, isNotNull(${whole}), toFloat64(${whole}),
    toFloat64OrNull(${propertyText(properties, key)}))`;
  return sql`if(isFinite(${number}), ${number}, NULL)`;
};

const functions: Readonly<
  Record<Aggregate, { readonly all: (of: Sql) => Sql; readonly those: (of: Sql, when: Sql) => Sql }>
> = {
  sum: { all: (of) => sql`sum(${of})`, those: (of, when) => sql`sumIf(${of}, ${when})` },
  avg: { all: (of) => sql`avg(${of})`, those: (of, when) => sql`avgIf(${of}, ${when})` },
  min: { all: (of) => sql`min(${of})`, those: (of, when) => sql`minIf(${of}, ${when})` },
  max: { all: (of) => sql`max(${of})`, those: (of, when) => sql`maxIf(${of}, ${when})` },
  median: quantile(sql`0.5`),
  p75: quantile(sql`0.75`),
  p90: quantile(sql`0.9`),
  p95: quantile(sql`0.95`),
  p99: quantile(sql`0.99`),
};

/** Exact, and between two numbers where the share falls between them. */
function quantile(share: Sql) {
  return {
    all: (of: Sql) => sql`quantileExactInclusive(${share})(${of})`,
    those: (of: Sql, when: Sql) => sql`quantileExactInclusiveIf(${share})(${of}, ${when})`,
  };
}

/** Of the rows where a condition holds; null: of all. */
export const aggregateSql = (aggregate: Aggregate, of: Sql, when: Sql | null): Sql =>
  when === null ? functions[aggregate].all(of) : functions[aggregate].those(of, when);
