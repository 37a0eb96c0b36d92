import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

const event = (distinct_id: string, at: string, name: string, properties: object = {}) => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp: `2024-${at}:00Z`,
  properties,
});

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}/persons/retention`;
  await importLines(service, service.project.id, [
    // The first order of ada is small, that of bob and cyd is big.
    event('ada', '02-20T10:00', 'order', { size: 'small' }),
    event('ada', '03-01T10:00', 'order', { size: 'big' }),
    event('ada', '03-02T10:00', 'visit'),
    event('bob', '03-01T10:00', 'order', { size: 'big' }),
    event('bob', '03-02T10:00', 'order', { size: 'big' }),
    event('bob', '03-03T10:00', 'visit'),
    event('cyd', '03-02T10:00', 'order', { size: 'small' }),
    event('cyd', '03-02T10:00', 'order', { size: 'big' }),
    event('cyd', '03-03T10:00', 'visit'),
  ]);
});
afterAll(() => service.stop());

interface Retention {
  readonly count: number;
  readonly results: { readonly name: string; readonly appearances: number[] }[];
  readonly insight: { readonly matrix: number[][]; readonly rates: number[][]; readonly mean: number[] | null };
}

const bigOrders = {
  target_entity: JSON.stringify({ id: 'order', properties: [{ key: 'size', value: 'big' }] }),
  returning_entity: JSON.stringify({ id: 'visit' }),
  total_intervals: '3',
  date_to: '2024-03-03',
};

const ask = async (query: Record<string, string>): Promise<Retention> => {
  const answer = await service.call('GET', path, { query: { ...bigOrders, ...query } });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Retention;
};

describe('a retention', () => {
  it.each([
    ['recurring', [[2, 1, 1], [2, 2], [0]], ['ada', 'bob']],
    ['first_time', [[2, 1, 1], [1, 1], [0]], ['ada', 'bob']],
    ['first_ever_occurrence', [[1, 0, 1], [1, 1], [0]], ['bob']],
  ])('of the type %s begins with the events of that type', async (type, matrix, names) => {
    for (const retention_type of [type, `retention_${type}`]) {
      const { insight, results, count } = await ask({ retention_type });
      expect(insight.matrix).toEqual(matrix);
      expect([results.map(({ name }) => name).sort(), count]).toEqual([names, names.length]);
    }
  });

  it('of first ever occurrences demands that the very first event passes the filters of the question too', async () => {
    const inRange = JSON.stringify([{ key: 'size', value: 'big' }]);
    const any = { target_entity: '{"id":"order"}', returning_entity: '{"id":"order"}', properties: inRange };
    const { insight } = await ask({ ...any, retention_type: 'retention_first_ever_occurrence' });
    expect(insight.matrix).toEqual([[1, 1, 0], [1, 0], [0]]);
    const often = { ...any, retention_type: 'first_ever_occurrence', minimum_occurrences: '2' };
    expect((await ask(often)).insight.matrix).toEqual([[1, 0, 0], [1, 0], [0]]);
  });

  it('has a mean of its rows, each the same or by its persons', async () => {
    const first = { retention_type: 'first_time' };
    // Rows of two persons and of one; no person began in the last row, which does not count.
    expect((await ask(first)).insight.mean).toEqual([1, (1 / 2 + 1) / 2, 1 / 2]);
    expect((await ask({ ...first, mean_retention_calculation: 'weighted' })).insight.mean).toEqual([1, 2 / 3, 1 / 2]);
    expect((await ask({ ...first, mean_retention_calculation: 'none' })).insight.mean).toBeNull();
    expect((await ask({ ...first, date_to: '1999-01-01' })).insight.mean).toEqual([0, 0, 0]);
  });

  it.each([
    [{}, ['ada', 'bob']],
    [{ return_interval: '0' }, ['ada', 'bob']],
    [{ return_interval: '1' }, ['ada']],
    [{ return_interval: '2' }, ['bob']],
    [{ selected_interval: '1', return_interval: '1' }, ['bob', 'cyd']],
    [{ return_interval: '1', cumulative: 'true' }, ['ada', 'bob']],
    [{ selected_interval: '2' }, []],
  ])('lists the persons of the cell with %j: %j', async (cell, names) => {
    const { insight, results, count } = await ask(cell);
    expect([results.map(({ name }) => name).sort(), count]).toEqual([names, names.length]);
    const { selected_interval: row = 0, return_interval: later = 0 } = cell as Record<string, string>;
    expect(insight.matrix[Number(row)]?.[Number(later)]).toBe(names.length);
  });

  describe('with brackets', () => {
    const brackets = { total_intervals: '13', date_to: '2024-03-13', retention_custom_brackets: '[1,3,7]' };

    beforeAll(() =>
      importLines(service, service.project.id, [
        event('dan', '03-04T10:00', 'order', { size: 'big' }),
        // In the bracket of days 2 to 4 twice, and on the first day of that of days 5 to 11.
        event('dan', '03-06T10:00', 'visit'),
        event('dan', '03-08T10:00', 'visit'),
        event('dan', '03-09T10:00', 'visit'),
        event('eve', '03-04T11:00', 'order', { size: 'big' }),
        event('eve', '03-05T10:00', 'visit'),
        event('eve', '03-13T10:00', 'visit'),
      ]),
    );

    it('counts a person once in each bracket in which it came back', async () => {
      const { insight, results } = await ask({ ...brackets, selected_interval: '3' });
      expect(insight).toMatchObject({ brackets: [1, 3, 7], labels: ['Day 0', 'Day 1', 'Day 2-4', 'Day 5-11'] });
      // The bracket from day 5 has only intervals up to the last one, and none for the rows of the last five days.
      expect(insight.matrix.map((row) => row.length)).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 2, 1]);
      expect(insight.matrix.slice(0, 4)).toEqual([
        [2, 1, 1, 0],
        [2, 2, 0, 0],
        [0, 0, 0, 0],
        [2, 1, 1, 2],
      ]);
      expect(insight.mean).toEqual([1, (1 / 2 + 1 + 1 / 2) / 3, (1 / 2 + 0 + 1 / 2) / 3, 1 / 3]);
      expect(results.map(({ name, appearances }) => [name, appearances]).sort()).toEqual([
        ['dan', [1, 0, 1, 1]],
        ['eve', [1, 1, 0, 1]],
      ]);
    });

    it.each([
      [{ return_interval: '1' }, ['eve']],
      [{ return_interval: '2' }, ['dan']],
      [{ return_interval: '3' }, ['dan', 'eve']],
      [{ return_interval: '2', cumulative: 'true' }, ['dan', 'eve']],
      [{ return_interval: '2', minimum_occurrences: '2' }, []],
    ])('lists the persons of the cell with %j: %j', async (cell, names) => {
      const { insight, results, count } = await ask({ ...brackets, selected_interval: '3', ...cell });
      expect([results.map(({ name }) => name).sort(), count]).toEqual([names, names.length]);
      expect(insight.matrix[3]?.[Number(cell.return_interval)]).toBe(names.length);
    });

    it('counts alike with more intervals than bits', async () => {
      const many = { ...brackets, total_intervals: '70', selected_interval: '60' };
      const { insight, results } = await ask(many);
      expect([insight.matrix[60], results.map(({ appearances }) => appearances).sort()]).toEqual([
        [2, 1, 1, 2],
        [
          [1, 0, 1, 1],
          [1, 1, 0, 1],
        ],
      ]);
    });

    it.each([
      ['[0]', 'retention_custom_brackets.0'],
      ['[1,2.5]', 'retention_custom_brackets.1'],
      ['{"a":1}', 'retention_custom_brackets'],
    ])('refuses %s', async (retention_custom_brackets, attr) => {
      const answer = await service.call('GET', path, { query: { ...bigOrders, retention_custom_brackets } });
      expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, attr]);
    });
  });

  it.each([
    [{ return_interval: '3' }],
    [{ selected_interval: '1', return_interval: '2' }],
    [{ return_interval: '-1' }],
  ])('has no cell with %j', async (cell) => {
    const answer = await service.call('GET', path, { query: { ...bigOrders, ...cell } });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, 'return_interval']);
  });

  it('refuses another mean', async () => {
    const answer = await service.call('GET', path, { query: { mean_retention_calculation: 'median' } });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, 'mean_retention_calculation']);
  });
});
