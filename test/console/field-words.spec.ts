import { describe, expect, it } from '@jest/globals';
import { fieldTitle, fieldWords, inFormWords } from '../../console/src/api/field-words.js';

describe('a field of a body', () => {
  it('has the name that forms have for it', () => {
    expect(fieldWords('filters.groups.0.properties.1.value')).toBe('value of filter 2 of condition 1');
    expect(fieldWords('filters.properties.values.0.values.2.time_value')).toBe('time value of filter 3 of group 1');
    expect(fieldWords('filters.multivariate.variants.1.key')).toBe('name of variant 2');
    expect(fieldWords('events.0')).toBe('event 1');
    expect(fieldWords('threshold.configuration.bounds')).toBe('bounds');
  });
});

describe('a refusal', () => {
  const path = 'filters.groups.0.properties.1.value';

  it('names the field as the form does, and not at all at the field itself', () => {
    const text = (field?: string): string => inFormWords(`${path} must be a number`, path, field);
    expect(text()).toBe('The value of filter 2 of condition 1 must be a number');
    expect(text('filters.groups.0')).toBe('The value of filter 2 must be a number');
    expect(text(path)).toBe('Must be a number');
    expect(inFormWords('cohorts.1 must be the id of a cohort', 'cohorts.1', 'cohorts')).toBe(
      'Cohort 2 must be the id of a cohort',
    );
    expect(inFormWords('batch_size must be at most 1000', 'batch_size')).toBe('Batch size must be at most 1000');
  });

  it('that does not begin with the field stays as it is, with the field as a title', () => {
    expect(inFormWords('There is no cohort 9', 'cohorts.0', 'cohorts')).toBe('There is no cohort 9');
    expect(fieldTitle('There is no cohort 9', 'cohorts.0')).toBe('Cohort 1');
    expect(fieldTitle('url must be an address', 'url')).toBeUndefined();
    expect(fieldTitle('Try again', null)).toBeUndefined();
  });
});
