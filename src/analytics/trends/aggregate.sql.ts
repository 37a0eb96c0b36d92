import { propertyPath } from '../../stores/clickhouse/schema/properties.js';
import { sql, type Sql } from '../../stores/clickhouse/sql.js';
import { text } from '../../stores/clickhouse/values.js';
import { type Aggregate } from './math.js';

/** NULL where the event has no number under the key: absent, text, true, infinite. */
export const numberUnder = (key: string): Sql => {
  const number = sql`toFloat64OrNull(getSubcolumn(e.properties, ${text(propertyPath(key))})::Nullable(String))`;
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
