import { describe, expect, it } from '@jest/globals';
import { isBigId, isUuid, readSmallId } from './ids.js';

describe('an id', () => {
  it.each([
    ['1', 1],
    [12, 12],
    ['2000000000', 2_000_000_000],
    ['2147483647', 2_147_483_647],
    ['2147483648', null],
    ['99999999999', null],
    ['0', null],
    [-1, null],
    [1.5, null],
    ['1e3', null],
    ['', null],
    [' 1', null],
    [null, null],
    [true, null],
  ])('of a project or a cohort, sent as %j, is %j', (value, id) => {
    expect(readSmallId(value)).toBe(id);
  });

  it('of a person is a number of up to 15 digits or a uuid', () => {
    expect(['1', '999999999999999', '9999999999999999', '-1', '1.0', ''].filter(isBigId)).toEqual([
      '1',
      '999999999999999',
    ]);
    const uuid = '00000000-1111-ffff-0000-00000000000A';
    expect([uuid, `${uuid} `, uuid.replaceAll('-', ''), uuid.slice(1)].filter(isUuid)).toEqual([uuid]);
  });
});
