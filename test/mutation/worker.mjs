import { runCLI } from 'jest';
import { dirname, join } from 'node:path';
import { environment } from '../../jest.config.mjs';

const root = environment.rootDir;

/** Stops at the first test that fails. Specs run in their order, the fast ones first. */
const firstFailure = async ({ specs, tests = {} }) => {
  for (const spec of specs) {
    const config = {
      ...environment,
      // Otherwise jest looks at all files of the repository before each run.
      roots: [dirname(join(root, spec))],
      watchman: false,
      testMatch: [`<rootDir>/${spec}`],
      runtime: '<rootDir>/test/mutation/runtime.mjs',
      reporters: [],
      testTimeout: 60_000,
    };
    const options = { runInBand: true, silent: true, bail: 1, testNamePattern: tests[spec] };
    const { results } = await runCLI({ ...options, config: JSON.stringify(config) }, [root]);
    const [file] = results.testResults;
    if (file?.testExecError || (file?.testResults.length ?? 0) === 0)
      return `${spec}: ${file?.failureMessage ?? 'no test'}`;
    const failed = file.testResults.find(({ status }) => status === 'failed');
    if (failed) return `${spec}: ${failed.fullName}`;
  }
  return null;
};

process.on('message', async ({ mutant, area }) => {
  globalThis.mutant = mutant;
  process.send({ failure: await firstFailure(area) });
});
