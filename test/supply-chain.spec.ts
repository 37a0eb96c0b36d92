import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly version: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = <T>(path: string): T => JSON.parse(readFileSync(path, 'utf8')) as T;
const { packages } = read<{ readonly packages: Record<string, LockedPackage> }>('package-lock.json');
const { dependencies, devDependencies, allowScripts } = read<{
  readonly dependencies: Record<string, string>;
  readonly devDependencies: Record<string, string>;
  readonly allowScripts: Record<string, boolean>;
}>('package.json');

const locked = Object.entries(packages)
  .filter(([path]) => path !== '')
  .map(([path, each]) => ({ ...each, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length) }));
const shipped = locked.filter(({ dev }) => !dev);
const namesOf = (found: readonly { readonly name: string }[]) => [...new Set(found.map(({ name }) => name))].sort();

/**
 * Libraries of other platforms, whose digests the registry of the machine that wrote the lock file did not have: run
 * `npm view NAME@VERSION dist.integrity` against npm's own registry, add them, and remove them here.
 */
const withoutDigest = ['@chdb/lib-darwin-arm64', '@chdb/lib-darwin-x64', '@chdb/lib-linux-arm64-gnu'];

const registry = 'https://registry.npmjs.org/';

/** Licences that allow use, change and redistribution under the MIT licence of this project. */
const licences = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'MIT-0',
  'Python-2.0',
  '(Apache-2.0 AND MIT)',
  '(MPL-2.0 OR Apache-2.0)',
];
/** Their package.json names the licence in a form of before 2015; their LICENSE file is the text of MIT. */
const mitByFile = ['busboy', 'streamsearch'];

describe('the packages of the lock file', () => {
  it('come from a registry, not from a folder, an address or a repository, each with a digest of its content', () => {
    expect(locked.length).toBeGreaterThan(500);
    const others = locked.filter(
      ({ resolved = registry, integrity = '' }) => !resolved.startsWith(registry) || !integrity.startsWith('sha512-'),
    );
    expect(namesOf(others)).toEqual(withoutDigest);
  });

  it('are named by exact versions, so that only a change of the lock file changes them', () => {
    const ranges = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^(?:npm:.+@)?\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version),
    );
    expect(ranges).toEqual([]);
  });

  it('run a script at their installation only after a judgement in package.json', () => {
    const judged = new Set(Object.keys(allowScripts));
    const scripted = locked.filter(({ hasInstallScript }) => hasInstallScript);
    expect(scripted.length).toBeGreaterThan(0);
    expect(namesOf(scripted.filter(({ name }) => !judged.has(name)))).toEqual([]);
  });

  it('may be shipped with the service: each has a licence that allows it', () => {
    expect(shipped.length).toBeGreaterThan(100);
    const unknown = shipped.filter(({ license = '' }) => !licences.includes(license));
    expect(namesOf(unknown)).toEqual(mitByFile);
    for (const name of mitByFile)
      expect(readFileSync(`node_modules/${name}/LICENSE`, 'utf8')).toContain(
        'Permission is hereby granted, free of charge',
      );
  });
});
