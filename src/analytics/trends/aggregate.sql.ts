import { type Sql, sql } from '../../platform/clickhouse/sql.js';
import { type Aggregate } from './trends.parameters.js';

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

/** An exact quantile, interpolated if the share falls between two numbers. */
function quantile(share: Sql) {
  return {
    all: (of: Sql) => sql`quantileExactInclusive(${share})(${of})`,
    those: (of: Sql, when: Sql) => sql`quantileExactInclusiveIf(${share})(${of}, ${when})`,
  };
}

/** The aggregate of the rows for which `when` holds; null: of all rows. */
export const aggregateSql = (aggregate: Aggregate, of: Sql, when: Sql | null): Sql =>
  when === null ? functions[aggregate].all(of) : functions[aggregate].those(of, when);
