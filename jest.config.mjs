import { specsByKind } from './test/support/spec-kinds.mjs';
import { filesOfTurn, takesTurns } from './test/support/spec-turns.mjs';

/** What each spec file is run with. */
export const environment = {
  rootDir: import.meta.dirname,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/dist-bench/'],
  extensionsToTreatAsEsm: ['.ts'],
  runtime: '<rootDir>/test/support/jest/runtime.mjs',
};

export const withStores = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

/** What holds for a run. */
export const run = {
  testTimeout: 240_000,
  // More than processors, because a worker often waits for a store or a process.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  reporters: ['default', '<rootDir>/test/support/durations-reporter.mjs'],
  // Each spec file leaves its modules behind; a worker that has grown is replaced between two files.
  workerIdleMemoryLimit: '1500MB',
};

/** @type {import('jest').Config} */
export default {
  ...run,
  projects: [...specsByKind()].map(([kind, specs]) => ({
    ...environment,
    ...(kind === 'pure' ? {} : withStores),
    displayName: kind,
    testMatch: (takesTurns ? filesOfTurn(specs) : specs).map((spec) => `<rootDir>/${spec}`),
  })),
};
