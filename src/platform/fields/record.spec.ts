import { describe, expect, it } from '@jest/globals';
import { Problem } from '../errors/problem.js';
import { field } from './field.js';
import { record } from './declaration.js';

const step = record(
  {
    key: field.text({ required: true, max: 5 }),
    count: field.integer({ min: 1, max: 9, fallback: 1 }),
    // The second is compared with the first.
    last: field.position({}),
  },
  { rule: 'a step has key, count and last', ignored: ['label'], ignoredNulls: ['group'] },
);

const refusalOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    if (error instanceof Problem) return [error.code, error.attr, error.detail];
    throw error;
  }
};

describe('a record', () => {
  it('reads its fields one by one', () => {
    const read = step.reader({ key: 'paid', count: '3', last: 2, label: 5, group: null }, 'steps.0');
    expect([read('key'), read('count'), read('last', 2)]).toEqual(['paid', 3, 2]);
    expect(refusalOf(() => read('last', 1))).toEqual([
      'invalid_input',
      'steps.0.last',
      'steps.0.last must be an integer from 0 to 1',
    ]);
  });

  it('takes a null for a missing field, which has a fallback or is required', () => {
    const read = step.reader({ key: null, count: null }, 'step');
    expect([read('count'), read('last', 1)]).toEqual([1, null]);
    expect(refusalOf(() => read('key'))).toEqual(['required', 'step.key', 'step.key is required']);
  });

  it.each([
    [3, 'step', 'step must be an object'],
    [{ kye: 'a' }, 'step.kye', 'step.kye is not known: a step has key, count and last'],
    [{ group: 1 }, 'step.group', 'step.group is not known: a step has key, count and last'],
  ])('refuses %j', (value, attr, detail) => {
    expect(refusalOf(() => step.reader(value, 'step'))).toEqual(['invalid_input', attr, detail]);
  });

  it('is documented as it is read', () => {
    expect(step.schema).toEqual({
      type: 'object',
      properties: {
        key: { type: 'string', maxLength: 5 },
        count: expect.objectContaining({ type: 'integer', minimum: 1, maximum: 9, default: 1 }),
        last: expect.objectContaining({ type: 'integer', minimum: 0 }),
      },
      required: ['key'],
      additionalProperties: false,
      'x-ignored': ['label', 'group'],
      'x-null-is-absent': 'described',
    });
  });
});
