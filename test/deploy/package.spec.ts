import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { launch, removeDir, tempDir, terminate, untilReady } from '../support/process.js';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const folder = 'dist/package';
let dataDir: string;

beforeAll(async () => {
  execFileSync(process.execPath, ['scripts/package.mjs']);
  dataDir = await tempDir();
});
afterAll(() => removeDir(dataDir));

it('installs what the bundle loads by name', () => {
  const bundle = readFileSync(`${folder}/dist/bundle/kohort.cjs`, 'utf8');
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as Manifest;
  const named = [...bundle.matchAll(/(?:\brequire(?:\$\d+)?|\.resolve)\(["']((?:@[\w-]+\/)?[\w.-]+)[^"']*["']\)/g)];
  const packages = new Set(named.map(([, name = '']) => name).filter((name) => !builtinModules.includes(name)));
  const installed = Object.keys({ ...dependencies, ...optionalDependencies });
  // Libraries try these, and do without them, or name them in code that they generate for files.
  const unneeded = ['node', 'pg-native', 'picomatch', 'ajv', 'ajv-formats'];
  expect([...packages].filter((name) => ![...installed, ...unneeded].includes(name))).toEqual([]);
  expect([...packages]).toEqual(expect.arrayContaining(Object.keys(dependencies)));
});

it('starts in a folder of its own, with its documents, its console and the SDK', async () => {
  const command = [process.execPath, `${folder}/bin/kohort.mjs`];
  const service = await launch({ DATA_DIR: dataDir }, [], [], command);
  try {
    await untilReady(service);
    const paths = [
      '/docs',
      '/docs/swagger-ui-bundle.js',
      '/static/array.js',
      '/docs/guides/cohorts.md',
      '/color-scheme.js',
    ];
    const answers = await Promise.all(paths.map((path) => fetch(service.url + path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200));
  } finally {
    await terminate(service);
  }
});
