import { environment, run, withStores } from './jest.config.mjs';

/** What takes too long for every run: many kills, random streams at full count, millions of rows. */
/** @type {import('jest').Config} */
export default {
  ...environment,
  ...withStores,
  ...run,
  testMatch: [
    '<rootDir>/test/resilience/*.spec.ts',
    '<rootDir>/test/linearizability/persons.spec.ts',
    '<rootDir>/test/insights/previous-range.spec.ts',
    '<rootDir>/test/e2e/trends-sql.slow.spec.ts',
    '<rootDir>/test/security/hostile-insights.slow.spec.ts',
    '<rootDir>/test/security/event-loop.slow.spec.ts',
    '<rootDir>/test/e2e/funnel-sql.slow.spec.ts',
    '<rootDir>/test/query/differential.slow.spec.ts',
    '<rootDir>/test/query/sessions-in-time.slow.spec.ts',
    '<rootDir>/test/query/functions.slow.spec.ts',
    '<rootDir>/test/query/largest.spec.ts',
    '<rootDir>/test/security/sql-escapes.slow.spec.ts',
    '<rootDir>/test/conformance/conformance.spec.ts',
    '<rootDir>/test/e2e/parameters-matter.spec.ts',
    '<rootDir>/test/e2e/insight-streams.slow.spec.ts',
    '<rootDir>/test/security/hostile-filters.slow.spec.ts',
    '<rootDir>/test/fuzz/fuzz.spec.ts',
    '<rootDir>/src/events/capture/decode.property.spec.ts',
    '<rootDir>/src/events/normalise/normalise.property.spec.ts',
    '<rootDir>/test/cohorts/changes-model.slow.spec.ts',
    '<rootDir>/test/filters/compile.property.slow.spec.ts',
    '<rootDir>/test/e2e/parameters.spec.ts',
    '<rootDir>/test/e2e/openapi.spec.ts',
    '<rootDir>/test/**/*.long.spec.ts',
  ],
  testTimeout: 600_000,
};
