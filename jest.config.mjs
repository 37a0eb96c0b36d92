/** Each spec file is run with this. */
export const environment = {
  rootDir: import.meta.dirname,
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/dist-bench/'],
  extensionsToTreatAsEsm: ['.ts'],
  runtime: '<rootDir>/test/support/jest/runtime.mjs',
  setupFilesAfterEnv: ['<rootDir>/test/support/same-properties.mjs'],
};

export const withStores = {
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
};

/** Holds for a whole run. */
export const run = {
  testTimeout: 240_000,
  // More than processors, because a worker often waits for a store or a process.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/slow-first.mjs',
  reporters: ['default', '<rootDir>/test/support/durations-reporter.mjs'],
  // Each spec file leaves its modules behind; a worker that has grown is replaced between two files.
  workerIdleMemoryLimit: '1500MB',
};

/** The folders whose specs start processes, servers or a browser of their own. */
export const foldersApart = [
  'backup',
  'browser',
  'citus',
  'cluster',
  'deploy',
  'fuzz',
  'linearizability',
  'processes',
  'resilience',
];
const apart = `test/{${foldersApart.join(',')}}/**/*.spec.ts`;
const slow = 'test/**/*.slow.spec.ts';
const long = 'test/**/*.long.spec.ts';
const only = (...globs) => globs.map((glob) => `<rootDir>/${glob}`);
const without = (...globs) => globs.map((glob) => `!**/${glob}`);

/** A spec beside its code needs no stores and no build. `npm test` runs the first two projects. */
const projects = {
  pure: { testMatch: only('src/**/*.spec.ts') },
  brief: { ...withStores, testMatch: [...only('test/**/*.spec.ts'), ...without(apart, slow, long)] },
  slow: { ...withStores, testMatch: [...only(slow), ...without(apart, long)] },
  apart: { ...withStores, testMatch: [...only(apart), ...without(long)] },
};

/** @type {import('jest').Config} */
export default {
  ...run,
  projects: Object.entries(projects).map(([displayName, project]) => ({ ...environment, ...project, displayName })),
};
