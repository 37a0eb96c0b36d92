import { describe, expect, it } from '@jest/globals';
import { NamedActions } from '../../filters/actions/action-lookup.js';
import { stepsOf } from '../../filters/actions/steps.js';
import {
  did,
  plan,
  read,
  readAll,
  readOne,
  refusal,
  refusalOf,
  regularly,
  repeated,
} from '../../../test/support/cohorts/reading.js';
import { criteriaOf } from './definition.js';
import { readDefinition } from './read-definition.js';

const at = 'filters.properties.values.0';

describe('a definition', () => {
  const leaf = {
    ...{ kind: 'property', source: 'person', key: 'plan', operator: 'exact', values: ['pro'] },
  };

  it('is a group, also nested, and lists of cohorts are groups of their own', () => {
    expect(readAll(plan)).toEqual({ kind: 'group', combine: 'AND', parts: [{ ...leaf, at }] });
    const inner = { type: 'or', values: [{ key: 'plan', value: 'pro', type: null }, plan], id: 5, sort_key: 'x' };
    expect(readAll(inner, { type: 'And', values: [did()] })).toMatchObject({
      combine: 'AND',
      parts: [
        {
          combine: 'OR',
          parts: [
            { ...leaf, at: `${at}.values.0` },
            { ...leaf, at: `${at}.values.1` },
          ],
        },
        { combine: 'AND', parts: [{ kind: 'behaviour' }] },
      ],
    });
    const cohorts = { type: 'static-cohort', key: 'id', value: [3, 4] };
    expect(readAll(cohorts)).toMatchObject({ parts: [{ combine: 'OR', parts: [{ cohortId: 3 }, { cohortId: 4 }] }] });
    expect(readOne({ ...cohorts, value: 3 })).toMatchObject({ kind: 'cohort', cohortId: 3 });
  });

  it('without criteria is none', () => {
    const empty = [{}, { type: 'AND', values: [] }, { type: 'OR', values: [{ type: 'AND', values: [] }] }];
    expect(empty.map((properties) => read({ properties }))).toEqual([null, null, null]);
  });

  it.each([
    ['x', 'invalid_input', 'filters', 'must be an object'],
    [[], 'invalid_input', 'filters', 'must be an object'],
    [null, 'invalid_input', 'filters', 'must be an object'],
    [{}, 'required', 'filters.properties', 'is required'],
    [{ properties: null }, 'required', 'filters.properties', 'is required'],
    [{ properties: {}, more: 1 }, 'invalid_input', 'filters.more', 'a definition has properties'],
    [{ properties: [] }, 'invalid_input', 'filters.properties', 'must be a group'],
    [{ properties: { values: [] } }, 'required', 'filters.properties.type', 'is required'],
    [{ properties: { type: null, values: [] } }, 'required', 'filters.properties.type', 'is required'],
    [{ properties: { type: 5, values: [] } }, 'invalid_input', 'filters.properties.type', 'AND or OR'],
    [{ properties: { type: 'XOR', values: [] } }, 'invalid_input', 'filters.properties.type', 'AND or OR'],
    [{ properties: { type: 'AND' } }, 'required', 'filters.properties.values', 'is required'],
    [{ properties: { type: 'AND', values: null } }, 'required', 'filters.properties.values', 'is required'],
    [{ properties: { type: 'AND', values: {} } }, 'invalid_input', 'filters.properties.values', 'must be a list'],
    [
      { properties: { type: 'AND', values: [], negated: 1 } },
      'invalid_input',
      'filters.properties.negated',
      'a group has',
    ],
  ])('%j is refused: %s %s', (filters, code, attr, words) => {
    expect(refusal(filters)).toEqual([code, attr, expect.stringContaining(words)]);
  });

  it.each([
    [[3], at, 'must be a criterion or a group'],
    [[plan, { type: 'OR', values: [] }], 'filters.properties.values', 'not both'],
    // A type alone makes a group, unless a key makes a criterion.
    [[{ type: 'or' }], `${at}.values`, 'is required'],
    [[{ type: 'ORE' }], `${at}.type`, 'person, cohort, group, behavioral'],
    [[{ type: 'XOR' }], `${at}.type`, 'person, cohort, group, behavioral'],
    [[{ ...plan, type: 'AND' }], `${at}.type`, 'person, cohort, group, behavioral'],
    [[{ ...plan, type: 'event' }], `${at}.type`, 'person, cohort, group, behavioral'],
    [[{ type: 'cohort', key: 'id', value: [] }], `${at}.value`, 'must be the id of a cohort'],
  ])('with %j is refused: %s', (values, attr, words) => {
    expect(refusalOf(...values).slice(1)).toEqual([attr, expect.stringContaining(words)]);
  });

  it('may have an empty list of values of a property, which everybody has', () => {
    expect(readOne({ ...plan, value: [] })).toMatchObject({ key: 'plan', values: [] });
    expect(readOne({ key: 'plan', value: [] })).toMatchObject({ key: 'plan', values: [] });
  });

  it('may be nested 20 deep', () => {
    const nested = (depth: number): object =>
      depth === 1 ? { type: 'AND', values: [plan] } : { type: 'AND', values: [nested(depth - 1)] };
    expect(criteriaOf(read({ properties: nested(20) }))).toHaveLength(1);
    expect(refusal({ properties: nested(21) })[2]).toContain('must be nested at most 20 deep');
  });

  it.each([
    ['200 entries', repeated(200, plan), plan],
    [
      '200 criteria',
      [
        { type: 'OR', values: repeated(199, plan) },
        { type: 'OR', values: [plan] },
      ],
      null,
    ],
    ['50 criteria about events', repeated(50, did()), did()],
    ['total_periods of at most 2000', repeated(2, regularly({ total_periods: 1000, time_value: 1 })), regularly()],
  ])('may have %s, and no more', (words, values, oneMore) => {
    expect(readAll(...values)).not.toBeNull();
    const more = oneMore ? [...values, oneMore] : [...values, { type: 'OR', values: [plan] }];
    expect(refusalOf(...more)[2]).toContain(words);
  });

  it('may name 500 events, of which each step of an action is one', () => {
    const steps = (count: number) => stepsOf(repeated(count, { event: 'paid' }));
    const many = new NamedActions();
    many.learn(
      [1, 2],
      [
        { id: 1, name: 'A', steps: steps(250) },
        { id: 2, name: 'B', steps: steps(1) },
      ],
    );
    const ofActions = (...ids: number[]) => ({
      properties: { type: 'AND', values: ids.map((key) => did({ key, event_type: 'actions' })) },
    });
    expect(readDefinition(ofActions(1, 1), 'filters', many)).not.toBeNull();
    expect(() => readDefinition(ofActions(1, 1, 2), 'filters', many)).toThrow('at most 500 events');
  });
});
