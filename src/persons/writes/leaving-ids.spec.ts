import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../platform/errors/problem.js';
import { humanFirst } from '../reading/persons.repository.js';
import { leavingIds } from './leaving-ids.js';
import { maxLeavingIds } from './person-writes.dto.js';

const many = (count: number): string[] => Array.from({ length: count }, (_, at) => `id${at}`);
const problemOf = (work: () => unknown): Problem => {
  try {
    work();
  } catch (error) {
    if (error instanceof Problem) return error;
  }
  throw new Error('it was not refused');
};

describe('the ids that leave a person', () => {
  it('of 200,000 are refused together, with what to do instead, and taken in parts', () => {
    const ids = many(200_000);
    const { status, attr, detail } = problemOf(() =>
      leavingIds(ids, { mainDistinctId: null, distinctIdsToSplit: null }),
    );
    expect([status, attr]).toEqual([400, 'distinct_ids_to_split']);
    expect(detail).toContain('199999 distinct ids would leave, but at most 10000 can');
    const part = ids.slice(5, 5 + maxLeavingIds);
    expect(leavingIds(ids, { mainDistinctId: null, distinctIdsToSplit: part })).toEqual(part);
  });

  it('are none of 200,000 when the request does not choose, and some of the ids are listed', () => {
    const split = { mainDistinctId: undefined, distinctIdsToSplit: null };
    const { status, attr, detail, extra } = problemOf(() => leavingIds(many(200_000), split));
    expect([status, attr, (extra.distinct_ids as string[]).length]).toEqual([400, 'main_distinct_id', 1000]);
    expect(detail).toContain('and 199980 more');
    expect(leavingIds(['one'], split)).toEqual([]);
  });

  it('names a few of many unknown ids only', () => {
    const split = { mainDistinctId: null, distinctIdsToSplit: many(1000).map((id) => `un${id}`) };
    expect(problemOf(() => leavingIds(['a', 'b'], split)).detail.length).toBeLessThan(200);
  });

  it('and those that stay are all of the person’s, each once, in their order', () => {
    const splits = fc
      .uniqueArray(fc.string(), { minLength: 2 })
      .chain((ids) =>
        fc.tuple(fc.constant(ids), fc.option(fc.constantFrom(...ids)), fc.option(fc.subarray(ids, { minLength: 1 }))),
      );
    fc.assert(
      fc.property(splits, ([ids, main, named]) => {
        const split = named
          ? { mainDistinctId: null, distinctIdsToSplit: named }
          : { mainDistinctId: main, distinctIdsToSplit: null };
        if (named?.length === ids.length) {
          expect(problemOf(() => leavingIds(ids, split)).attr).toBe('distinct_ids_to_split');
          return;
        }
        const leaving = leavingIds(ids, split);
        const expected = named
          ? ids.filter((id) => named.includes(id))
          : ids.filter((id) => id !== (main ?? humanFirst(ids)[0]));
        expect(leaving).toEqual(expected);
      }),
    );
  });
});
