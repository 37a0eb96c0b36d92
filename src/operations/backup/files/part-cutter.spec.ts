import { describe, expect, it } from '@jest/globals';
import { createHash, randomBytes } from 'node:crypto';
import { PartCutter } from './part-cutter.js';

const partBytes = 4_096;

const cut = (rows: readonly Buffer[]): Buffer[] => {
  const parts: Buffer[] = [];
  const cutter = new PartCutter(partBytes, (part) => parts.push(Buffer.from(part)));
  for (const row of rows) cutter.add(row);
  cutter.end();
  return parts;
};

const digests = (parts: readonly Buffer[]): Set<string> =>
  new Set(parts.map((part) => createHash('sha256').update(part).digest('hex')));

const randomRows = (count: number): Buffer[] =>
  Array.from({ length: count }, (_, n) => randomBytes(20 + ((n * 37) % 200)));

describe('the cutter of parts', () => {
  it('loses, repeats and reorders no byte', () => {
    for (const rows of [[], randomRows(1), randomRows(2_000), [randomBytes(50_000), ...randomRows(10)]]) {
      expect(Buffer.concat(cut(rows)).equals(Buffer.concat(rows))).toBe(true);
    }
  });

  it('keeps parts between half of the size and twice the size, except the last and a row that is larger', () => {
    const sizes = cut(randomRows(5_000)).map(({ length }) => length);
    expect(sizes.length).toBeGreaterThan(100);
    for (const size of sizes.slice(0, -1)) {
      expect(size).toBeGreaterThanOrEqual(partBytes / 2);
      expect(size).toBeLessThanOrEqual(partBytes * 2 + 220);
    }
  });

  it('changes only the parts around rows that come and go', () => {
    const rows = randomRows(5_000);
    const before = digests(cut(rows));
    const changed = [...rows.slice(0, 2_000), ...rows.slice(2_001, 4_000), ...randomRows(1), ...rows.slice(4_000)];
    const after = [...digests(cut(changed))];
    const added = after.filter((part) => !before.has(part));
    expect(added.length).toBeGreaterThan(0);
    expect(added.length).toBeLessThan(before.size / 10);
  });

  it('gives every part to its receiver, which may keep it', () => {
    const rows = randomRows(500);
    const parts: Buffer[] = [];
    const cutter = new PartCutter(partBytes, (part) => parts.push(part));
    const piece = Buffer.alloc(220);
    for (const row of rows) {
      row.copy(piece);
      cutter.add(piece.subarray(0, row.length));
    }
    cutter.end();
    expect(Buffer.concat(parts).equals(Buffer.concat(rows))).toBe(true);
  });
});
