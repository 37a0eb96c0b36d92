import { environment, run, withStores } from './jest.config.mjs';

/** Every spec: with the counts of `npm run test:long`, many kills, random streams at full count, millions of rows. */
/** @type {import('jest').Config} */
export default {
  ...environment,
  ...withStores,
  ...run,
  testMatch: ['<rootDir>/{src,test}/**/*.spec.ts'],
  testTimeout: 600_000,
};
