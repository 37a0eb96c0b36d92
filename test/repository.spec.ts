import { describe, expect, it } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The package has no types of its own. */
const { satisfies } = createRequire(import.meta.url)('semver') as {
  readonly satisfies: (version: string, range: string) => boolean;
};

interface LockFile {
  readonly packages: Record<
    string,
    {
      readonly version: string;
      readonly optionalDependencies?: Record<string, string>;
      readonly engines?: { readonly node?: string };
    }
  >;
}

const lockFile = () => JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;

describe('package-lock.json', () => {
  it('knows the binaries of every platform: npm drops those of other platforms, and npm ci then fails there', () => {
    const { packages } = lockFile();
    for (const owner of ['node_modules/chdb', '']) {
      const wanted = Object.keys(packages[owner]?.optionalDependencies ?? {});
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
    }
  });

  it('has no package that warns under a release of Node that we support', () => {
    const { packages } = lockFile();
    const needed = Object.entries(packages).flatMap(([name, { engines }]) =>
      engines?.node ? [[name, engines.node]] : [],
    );
    expect(needed.length).toBeGreaterThan(100);
    for (const version of ['20.20.0', '22.23.3', '24.21.0'])
      expect([version, needed.filter(([, range = '*']) => !satisfies(version, range))]).toEqual([version, []]);
  });
});

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
  .map((name) => join('src', name));

describe('the names of src', () => {
  it('mean one thing: no two files export the same one', () => {
    const exported = /^export (?:abstract |async )?(?:const|function\*?|class|interface|type|enum) (\w+)/gm;
    const homes = new Map<string, string[]>();
    for (const file of sources)
      for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(exported))
        homes.set(name, [...(homes.get(name) ?? []), file]);
    expect(homes.size).toBeGreaterThan(500);
    expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
  });

  it('and its comments do without the words that docs/glossary.md replaces', () => {
    const replaced = /\b(?:nobody|whoever|somebody|owes?|owed|sights?|asked|wanted|told|said)\b/i;
    // `nobody` is an account of the operating system in one file; released migrations are not edited.
    const isExcepted = (file: string) => file.endsWith(join('embedded', 'account.ts')) || file.includes('migrations');
    const others = sources.filter((file) => !isExcepted(file));
    const found = others.flatMap((file) =>
      readFileSync(file, 'utf8')
        .split('\n')
        .flatMap((line, at) => (replaced.test(line) ? [`${file}:${at + 1} ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});
