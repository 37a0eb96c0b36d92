import { describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { turns, turnsOfFiles } from './spec-turns.mjs';

const seconds = JSON.parse(readFileSync('test/support/spec-seconds.json', 'utf8')) as Record<string, number>;

describe('turns of spec files', () => {
  it('name files that are there: npm run spec-seconds writes them', () => {
    expect(Object.keys(seconds).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('take equally long', () => {
    const sums = Array.from({ length: turns }, (_, turn) =>
      [...turnsOfFiles()].reduce((sum, [file, its]) => sum + (its === turn ? (seconds[file] ?? 0) : 0), 0),
    );
    expect(Math.max(...sums) / Math.min(...sums)).toBeLessThan(1.1);
  });

  it('give the next longest file to the turn that has least', () => {
    const files = { a: 9, b: 8, c: 7, d: 6, e: 5, f: 3, g: 1 };
    expect(Object.fromEntries(turnsOfFiles(files, 3))).toEqual({ a: 0, b: 1, c: 2, d: 2, e: 1, f: 0, g: 0 });
  });

  it('do not depend on the order of the files', () => {
    const reversed = Object.fromEntries(Object.entries(seconds).reverse());
    expect(new Map([...turnsOfFiles(reversed)].sort())).toEqual(new Map([...turnsOfFiles(seconds)].sort()));
  });
});
