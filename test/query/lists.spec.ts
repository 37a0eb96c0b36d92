import { describe, expect, it } from '@jest/globals';
import { aggregateFunctions, scalarFunctions, windowFunctions } from '../../src/sql/functions/allowed-functions.js';
import { combinators, findFunction, refusedFunctions } from '../../src/sql/functions/find-function.js';
import { QueryFault } from '../../src/sql/fault.js';
import { compile } from '../../src/platform/clickhouse/sql.js';
import { forbiddenFunctions } from '../security/sql/names.js';
import { compiledQuestion } from './compiled-question.js';

const allowed = [...Object.values(scalarFunctions).flat(), ...aggregateFunctions, ...windowFunctions];
const refused = Object.values(refusedFunctions).flat();

/** The statement, or the message of the fault. */
const outcome = async (text: string): Promise<string> => {
  try {
    return compile(await compiledQuestion(text)).query;
  } catch (error) {
    if (error instanceof QueryFault) return `refused: ${error.detail}`;
    throw error;
  }
};

/** `engine-functions.spec.ts` demands that each function of the engine is in one of the lists: none can leave both. */
describe('the lists of functions', () => {
  it('refuse each refused function by its name', async () => {
    const passed: string[] = [];
    for (const name of refused)
      if ((await outcome(`select ${name}(1)`)) !== `refused: The function ${name} is not allowed here`)
        passed.push(name);
    expect(passed).toEqual([]);
  });

  it('do not allow what another list, written by hand, says is dangerous', () => {
    const found = forbiddenFunctions
      .flatMap((name) => [name, `${name}If`])
      .filter((name) => findFunction(name) !== null);
    expect(found).toEqual([]);
  });

  it('name no function twice', () => {
    const all = [...allowed, ...refused];
    expect(all.filter((name, at) => all.indexOf(name) !== at)).toEqual([]);
  });
});

/** The changes of an aggregate, written out: one more or one less must be a decision. */
const changed: readonly (readonly [string, string])[] = [
  ['If', 'select sumIf(1, true)'],
  ['Array', 'select sumArray([1])'],
  ['Distinct', 'select sumDistinct(1)'],
  ['OrNull', 'select sumOrNull(1)'],
  ['OrDefault', 'select sumOrDefault(1)'],
  ['ForEach', 'select sumForEach([1])'],
  ['Map', "select sumMap(map('a', 1))"],
];

describe('the combinators of aggregates', () => {
  it('are these', () => {
    expect([...combinators].sort()).toEqual(changed.map(([name]) => name).sort());
  });

  it.each(changed)('%s is written', async (name, text) => {
    expect(await outcome(text)).toContain(`sum${name}`);
  });

  it.each(['State', 'Merge', 'SimpleState', 'MergeState', 'Resample', 'ArgMin', 'Nope'])(
    '%s is refused',
    async (name) => {
      expect(await outcome(`select sum${name}(1)`)).toMatch(/^refused/);
    },
  );
});

const times = (n: number, write: (at: number) => string): string =>
  Array.from({ length: n }, (_, at) => write(at)).join(',');
/** A CTE that reads another one twice doubles it: 2^n SELECTs and those of the CTEs themselves. */
const doubling = (n: number): string => {
  const ctes = Array.from({ length: n }, (_, at) => `c${at + 1} as (select p.x as x from c${at} p, c${at} q)`);
  return `with c0 as (select 1 as x), ${ctes.join(', ')} select x from c${n}`;
};

describe('a limit of compiled questions', () => {
  it('is 900 different values: a server accepts a thousand', async () => {
    const values = (n: number) => `select ${times(n, (at) => String(at + 1_000_000))}`;
    expect(await outcome(values(900))).toMatch(/^SELECT/);
    expect(await outcome(values(901))).toBe(
      'refused: A question may have at most 900 different values outside of lists',
    );
    expect(await outcome(`select ${times(1_000, () => '7')}`)).toMatch(/^SELECT/);
  });

  it('is 300 SELECTs, however few of them the question has', async () => {
    expect(await outcome(doubling(5))).toMatch(/^SELECT/);
    const begun = performance.now();
    expect(await outcome(doubling(40))).toMatch(/^refused: A question may have at most 300 SELECTs/);
    expect(performance.now() - begun).toBeLessThan(1_000);
  });

  it('is 25,000 words and signs, those of long lists included', async () => {
    const lists = (n: number) => `select ${times(n, () => `1 in (${times(1_000, () => '1')})`)}`;
    expect(await outcome(lists(12))).toMatch(/^SELECT/);
    expect(await outcome(lists(13))).toBe('refused: A question may have at most 25,000 words, numbers and signs');
  });
});
