import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const sources = (folder, pattern = /\.ts$/) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((file) => pattern.test(file) && !/\.(?:spec|dto|module|schemas|parameters)\.ts$/.test(file))
    .sort();

const ofWarnings = /(?:unknown-\w+|question-warnings|warning-limits|filter-checks)\.ts$/;

/** The code whose faults would be wrong answers, each with the specs that have to notice them, the fast ones first. */
export const areas = {
  time: {
    files: sources('src/platform/time'),
    specs: ['dates', 'time', 'awake'].map((name) => `src/platform/time/${name}.spec.ts`),
  },
  filters: {
    files: sources('src/filters').filter((file) => !ofWarnings.test(file)),
    specs: [
      'src/filters/reading/filter-fields.spec.ts',
      'src/filters/reading/date-operand.spec.ts',
      'src/filters/reading/filter-limits.spec.ts',
      'test/filters/regex-check.spec.ts',
      'test/filters/operators.slow.spec.ts',
      'test/filters/compile.property.slow.spec.ts',
      'test/e2e/trends-at-event.spec.ts',
    ],
  },
  warnings: {
    files: sources('src/filters', ofWarnings),
    specs: [
      'src/filters/warnings/unknown-events.spec.ts',
      'test/filters/unknown-names.spec.ts',
      'test/filters/regex-check.spec.ts',
      'test/e2e/cohort-saving.spec.ts',
      'test/e2e/typical-mistakes.spec.ts',
    ],
  },
  identity: {
    files: ['decide', 'person-group', 'person-properties'].map((name) => `src/kernel/identity/${name}.ts`),
    specs: ['src/kernel/identity/decide.spec.ts', 'src/kernel/identity/decide.property.spec.ts'],
  },
  definition: {
    files: sources('src/cohorts/definition'),
    specs: [
      'src/cohorts/definition/read-behaviour.spec.ts',
      'src/cohorts/definition/read-definition.spec.ts',
      'src/cohorts/definition/legacy-groups.spec.ts',
      'src/cohorts/definition/span.spec.ts',
      'test/e2e/cohort-criteria.spec.ts',
      'test/cohorts/definitions.property.slow.spec.ts',
      'test/e2e/cohorts.slow.spec.ts',
      'test/e2e/cohort-past.spec.ts',
      'test/e2e/cohort-saving.spec.ts',
      'test/e2e/cohort-faults.spec.ts',
    ],
  },
  ...Object.fromEntries(
    Object.entries({
      funnel: [['test/e2e/funnel-touch.spec.ts'], ['test/e2e/funnel.slow.spec.ts']],
      trends: [
        ['test/e2e/trends-bounds.spec.ts', 'test/e2e/trends.slow.spec.ts'],
        ['test/e2e/trends-at-event.spec.ts'],
      ],
      retention: [['test/e2e/retention-bounds.spec.ts', 'test/e2e/retention.spec.ts'], []],
      paths: [[], ['test/e2e/paths.slow.spec.ts']],
      lifecycle: [['test/e2e/lifecycle.spec.ts'], []],
      stickiness: [['test/e2e/stickiness.spec.ts'], []],
    }).map(([insight, [fast, slow]]) => [
      insight,
      {
        files: sources(`src/analytics/${insight}`, /\.sql\.ts$/),
        specs: [...fast, 'test/conformance/conformance.spec.ts', 'test/e2e/insight-streams.slow.spec.ts', ...slow],
        // Of the conformance cases and the random streams, those of this insight.
        tests: {
          'test/conformance/conformance.spec.ts': `answers ${insight}`,
          'test/e2e/insight-streams.slow.spec.ts': `have the ${insight} of`,
        },
        env: { EVERY_CASE: '1' },
      },
    ]),
  ),
};
