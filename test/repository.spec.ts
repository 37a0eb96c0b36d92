import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';

interface LockFile {
  readonly packages: Record<
    string,
    { readonly version: string; readonly optionalDependencies?: Record<string, string> }
  >;
}

describe('package-lock.json', () => {
  it('knows the binaries of every platform: npm drops those of other platforms, and npm ci then fails there', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as LockFile;
    for (const owner of ['node_modules/chdb', '']) {
      const wanted = Object.keys(packages[owner]?.optionalDependencies ?? {});
      expect(wanted.length).toBeGreaterThan(0);
      expect(wanted.filter((name) => !(`node_modules/${name}` in packages))).toEqual([]);
    }
  });
});
