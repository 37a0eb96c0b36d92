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
      testEnvironment: '<rootDir>/test/mutation/first-failure.mjs',
      reporters: [],
      testTimeout: 60_000,
    };
    const options = { runInBand: true, silent: true, testNamePattern: tests[spec] };
    const { results } = await runCLI({ ...options, config: JSON.stringify(config) }, [root]);
    const [file] = results.testResults;
    if (file?.testExecError || (file?.testResults.length ?? 0) === 0)
      return { failure: `${spec}: ${file?.failureMessage ?? 'no test'}`, isReusable: false };
    const failed = file.testResults.find(({ status }) => status === 'failed');
    if (failed) return { failure: `${spec}: ${failed.fullName}`, isReusable: true };
  }
  return { failure: null, isReusable: true };
};

// A process keeps the modules of all its mutants.
const maxMemory = 2_000_000_000;

process.on('message', async ({ mutant, area }) => {
  globalThis.mutant = mutant;
  const { failure, isReusable } = await firstFailure(area);
  process.send({ failure, isReusable: isReusable && process.memoryUsage.rss() < maxMemory });
});

// Nothing is left behind where the run was killed.
process.on('disconnect', () => process.exit());
