import { describe, expect, it } from '@jest/globals';
import { verdictOf, type DatabaseVerdict } from './verdict.js';

const [ours, others] = ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', '0b5e3c1a-7f4d-4f0e-9a57-1f2d3c4b5a69'];
const mark = (identity: string, generation: number) => ({ identity, generation });
const yes = () => Promise.resolve(true);
const no = () => Promise.resolve(false);

interface Case {
  readonly identity: string | null;
  readonly generation: number;
  readonly found: ReturnType<typeof mark> | 'no mark' | 'no database';
  readonly hasRows: boolean;
  readonly hasLog: boolean;
  readonly isAhead?: boolean;
  readonly is: DatabaseVerdict;
}

const full = { identity: ours, generation: 2, hasRows: true, hasLog: true } as const;
const fresh = { identity: null, generation: 0, hasRows: false, hasLog: false } as const;

const cases: readonly Case[] = [
  { ...full, found: mark(ours, 2), is: 'ours' },
  { ...full, found: mark(ours, 2), isAhead: true, is: 'ahead' },
  { ...full, found: mark(ours, 1), is: 'outdated' },
  { ...full, found: mark(ours, 3), is: 'outdated' },
  { ...full, found: mark(others, 2), is: 'foreign' },
  { ...full, found: mark(others, 2), hasRows: false, is: 'foreign' },
  { ...full, found: 'no mark', is: 'foreign' },
  { ...full, found: 'no mark', hasRows: false, is: 'empty' },
  { ...full, found: 'no database', is: 'empty' },
  { ...fresh, found: 'no database', is: 'new' },
  { ...fresh, found: 'no mark', is: 'new' },
  { ...fresh, found: 'no mark', hasRows: true, is: 'foreign' },
  { ...fresh, found: mark(others, 1), is: 'foreign' },
  // The process ended between the mark and its record.
  { ...fresh, identity: ours, found: mark(ours, 1), is: 'outdated' },
  // Restored.
  { ...fresh, hasLog: true, found: 'no mark', is: 'empty' },
];

describe('a database of ClickHouse', () => {
  it.each(cases)('$found beside generation $generation is $is', async (given) => {
    const { identity, generation, found, hasRows, hasLog, isAhead, is } = given;
    const rebuild = { isRebuilding: false, copied: 0, toCopy: 0 };
    const recorded = { identity, generation, version: 1, isFilled: true, server: '1', ...rebuild };
    const database = { exists: found !== 'no database', mark: typeof found === 'string' ? null : found };
    const contents = { hasRows: hasRows ? yes : no, hasLog: hasLog ? yes : no, isAhead: isAhead ? yes : no };
    expect(await verdictOf(recorded, database, contents)).toBe(is);
  });
});
