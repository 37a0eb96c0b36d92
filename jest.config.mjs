/** @type {import('jest').Config} */
export default {
  rootDir: import.meta.dirname,
  testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/**/*.spec.ts'],
  testPathIgnorePatterns: ['/node_modules/', '\\.long\\.spec\\.ts$'],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/dist-bench/'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2022',
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
          keepClassNames: true,
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  testTimeout: 240_000,
  maxWorkers: 2,
  reporters: ['default', '<rootDir>/test/support/durations-reporter.mjs'],
  // Each spec file leaves its modules behind; a worker that has grown is replaced between two files.
  workerIdleMemoryLimit: '1500MB',
};
