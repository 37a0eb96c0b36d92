import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { areas } from './areas.mjs';
import { changed, equivalents, isEquivalent } from './equivalent.mjs';
import { dependentsOf } from './imports.mjs';
import { mutantsOf, withMutant } from './mutants.mjs';

const mutated = (text: string): string[] => mutantsOf('file.ts', text).map((mutant) => withMutant(text, mutant));

describe('a mutant', () => {
  it.each([
    ['a <= b', ['a < b', 'a > b']],
    ['a === b', ['a !== b']],
    ['a && b', ['a || b']],
    ['a ? b : c', ['true ? b : c', 'false ? b : c']],
    ['!a', ['a']],
    ['x = true', ['x = false']],
    ['[1, 2]', ['[]']],
    ['list.filter(f)', ['list']],
    ['list.some(f)', ['list.every(f)']],
    ['/^a\\d$/', ['/a\\d$/', '/^a\\d/', '/^a\\D$/']],
    ['sql`a = ${b} AND NOT c`', ['sql`a != ${b} AND NOT c`', 'sql`a = ${b} OR NOT c`', 'sql`a = ${b} AND c`']],
    ["'a' + b", []],
    ['const f = (a: 1 | 2): boolean[] => a;', []],
  ])('of %j is each of %j', (text, expected) => {
    expect(mutated(text)).toEqual(expected);
  });

  it('empties a procedure, but no function that returns a value', () => {
    expect(mutated('const f = () => { g(); };')).toEqual(['const f = () => {};', 'const f = () => { ; };']);
    expect(mutated('const f = () => { return 1; };')).toEqual([]);
  });
});

describe('the areas', () => {
  it.each(Object.entries(areas))(
    '%s has specs, and files that these specs or a service load',
    (_, { files, specs }) => {
      expect(specs.filter((spec) => !existsSync(spec))).toEqual([]);
      expect(files).not.toEqual([]);
      const loading = [...specs, 'test/mutation/service-in-process.ts'];
      expect(files.filter((file) => !loading.some((one) => dependentsOf(file).has(one)))).toEqual([]);
    },
  );

  it('evaluate only what imports the file again', () => {
    expect(dependentsOf('src/platform/time/range.ts')).toContain('src/platform/time/time.spec.ts');
    expect(dependentsOf('src/platform/time/range.ts')).not.toContain('src/platform/time/awake.spec.ts');
  });
});

describe('a mutant that cannot change an answer', () => {
  it.each(equivalents.flatMap(({ file, why, changes }) => changes.map((change) => [file, why, change] as const)))(
    'is one of %s: %s',
    (file, _, change) => {
      const text = readFileSync(file, 'utf8');
      expect(text.split(change[0])).toHaveLength(2);
      const same = mutantsOf(file, text).filter((mutant) => withMutant(text, mutant) === changed(text, change));
      expect(same).not.toEqual([]);
      expect(same.map((mutant) => isEquivalent(file, text, mutant))).toEqual(same.map(() => true));
    },
  );

  it('belongs to a file of an area', () => {
    const files = Object.values(areas).flatMap((area) => area.files);
    expect(equivalents.filter(({ file }) => !files.includes(file))).toEqual([]);
  });
});
