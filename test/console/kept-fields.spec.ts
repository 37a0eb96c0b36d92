import { describe, expect, it } from '@jest/globals';
import { filterParam, readFilter } from '../../console/src/filters/filter.js';

/** Of a cohort as the interface may take it, with fields that the console has no control for. */
const member = { type: 'cohort', key: 'id', value: 3, at: 'event', since: { unit: 'day' } };

describe('a filter that was saved elsewhere', () => {
  it('keeps the fields that the console does not know, in a list, in a group and without a key', () => {
    const { key, ...keyless } = member;
    expect(key).toBe('id');
    const group = { type: 'OR', values: [member, { type: 'AND', values: [keyless] }] };
    expect(JSON.parse(filterParam(readFilter([member, keyless])) ?? '')).toEqual({
      type: 'AND',
      values: [member, keyless],
    });
    expect(JSON.parse(filterParam(readFilter(group)) ?? '')).toEqual({
      type: 'OR',
      values: [
        { type: 'OR', values: [member] },
        { type: 'AND', values: [keyless] },
      ],
    });
  });
});
