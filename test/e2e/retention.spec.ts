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
    event('dan', '03-01T20:00', 'start'),
    event('dan', '03-02T09:00', 'start'),
    event('dan', '03-02T10:00', 'back'),
    event('dan', '03-03T20:00', 'back'),
    event('eve', '03-01T20:00', 'start'),
    event('eve', '03-03T19:59', 'back'),
  ]);
});
afterAll(() => service.stop());

interface Numbers {
  readonly matrix: number[][];
  readonly rates: number[][];
  readonly mean: number[] | null;
}

interface Retention {
  readonly count: number;
  readonly results: { readonly name: string; readonly appearances: number[] }[];
  readonly insight: Numbers & {
    readonly breakdown?: readonly (Numbers & { readonly value: string | string[]; readonly labels?: string[] })[];
  };
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

  describe('by a breakdown', () => {
    const orders = { target_entity: '{"id":"order"}', returning_entity: '{"id":"order"}' };
    const ofValues = ({ insight }: Retention) => insight.breakdown?.map(({ value, matrix }) => [value, matrix]);

    it('has a matrix for each value, of the events that have the value, beside that of all events', async () => {
      const answer = await ask({ ...orders, breakdown: 'size' });
      expect(answer.insight.matrix).toEqual([[2, 1, 0], [2, 0], [0]]);
      expect(ofValues(answer)).toEqual([
        ['big', [[2, 1, 0], [2, 0], [0]]],
        ['small', [[0, 0, 0], [1, 0], [0]]],
      ]);
      const [{ rates, mean } = { rates: [], mean: null }] = answer.insight.breakdown ?? [];
      expect([rates[0], mean]).toEqual([
        [1, 1 / 2, 0],
        [1, 1 / 4, 0],
      ]);
    });

    it('does not count who comes back with another value', async () => {
      // Visits have no size, and no person began with a visit.
      expect(ofValues(await ask({ target_entity: '{"id":"order"}', breakdown: 'size' }))).toEqual([
        ['big', [[2, 0, 0], [2, 0], [0]]],
        ['small', [[0, 0, 0], [1, 0], [0]]],
      ]);
    });

    it('of first ever occurrences has the value of the first event for all events of the person', async () => {
      const first = { target_entity: '{"id":"order"}', breakdown: 'size', retention_type: 'first_ever_occurrence' };
      // The first order of cyd is two at one moment: the smaller value counts.
      expect(ofValues(await ask(first))).toEqual([['big', [[1, 0, 1], [1, 1], [0]]]]);
    });

    it.each([
      [{ breakdown_value: 'big' }, ['ada', 'bob']],
      [{ breakdown_value: '["big"]', return_interval: '1' }, ['bob']],
      [{ breakdown_value: 'small', selected_interval: '1' }, ['cyd']],
      [{ breakdown_limit: '1', breakdown_value: 'Other', selected_interval: '1' }, ['cyd']],
      [{ breakdown_value: 'huge' }, []],
      [{}, ['ada', 'bob']],
    ])('lists the persons with %j: %j', async (selected, names) => {
      const { results, count } = await ask({ ...orders, breakdown: 'size', ...selected });
      expect([results.map(({ name }) => name).sort(), count]).toEqual([names, names.length]);
    });

    it('puts the values beyond the limit together', async () => {
      expect(ofValues(await ask({ ...orders, breakdown: 'size', breakdown_limit: '1' }))).toEqual([
        ['big', [[2, 1, 0], [2, 0], [0]]],
        ['Other', [[0, 0, 0], [1, 0], [0]]],
      ]);
    });

    it('by cohorts counts who is in several for each, in the order of the request', async () => {
      const cohort = async (name: string, distinct_ids: string[]) => {
        const path = `/api/projects/${service.project.id}/cohorts`;
        const answer = await service.call('POST', path, { body: { name, is_static: true, distinct_ids } });
        expect(answer.status).toBe(201);
        return (answer.body as { id: number }).id;
      };
      const [few, many] = [await cohort('Few', ['bob']), await cohort('Many', ['ada', 'bob'])];
      const ids = [few, many, 'all'];
      const split = { breakdown_type: 'cohort', breakdown: JSON.stringify(ids) };
      const answer = await ask({ ...orders, ...split });
      expect(answer.insight.breakdown?.map(({ value, labels, matrix }) => [value, labels, matrix[0]])).toEqual([
        [String(few), ['Few'], [1, 1, 0]],
        [String(many), ['Many'], [2, 1, 0]],
        ['all', ['all users'], [2, 1, 0]],
      ]);
      const { results } = await ask({ ...orders, ...split, breakdown_value: String(few) });
      expect(results.map(({ name }) => name)).toEqual(['bob']);
      const both = [{ property: 'size' }, { property: ids.slice(0, 2), type: 'cohort' }];
      expect(ofValues(await ask({ ...orders, breakdowns: JSON.stringify(both) }))).toEqual([
        [
          ['big', String(many)],
          [[2, 1, 0], [1, 0], [0]],
        ],
        [
          ['big', String(few)],
          [[1, 1, 0], [1, 0], [0]],
        ],
      ]);
      const first = { retention_type: 'first_ever_occurrence', breakdowns: JSON.stringify(both) };
      expect(ofValues(await ask({ ...orders, ...first }))).toEqual([
        [
          ['big', String(few)],
          [[1, 1, 0], [0, 0], [0]],
        ],
        [
          ['big', String(many)],
          [[1, 1, 0], [0, 0], [0]],
        ],
      ]);
    });

    it('by an expression has its values', async () => {
      const split = { breakdown_type: 'hogql', breakdown: 'upper(properties.size)' };
      expect(ofValues(await ask({ ...orders, ...split }))?.map(([value]) => value)).toEqual(['BIG', 'SMALL']);
    });

    it('refuses a value of another form, and a value without a breakdown', async () => {
      const asked = async (query: Record<string, string>) => {
        const answer = await service.call('GET', path, { query: { ...bigOrders, ...query } });
        return [answer.status, (answer.body as { attr: string }).attr];
      };
      expect(await asked({ breakdown: 'size', breakdown_value: '["a","b"]' })).toEqual([400, 'breakdown_value']);
      expect(await asked({ breakdown_value: 'big' })).toEqual([400, 'breakdown']);
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

describe('windows of 24 hours', () => {
  const question = {
    target_entity: JSON.stringify({ id: 'start' }),
    returning_entity: JSON.stringify({ id: 'back' }),
  };
  const rolling = { ...question, time_window_mode: '24_hour_windows' };

  it('count from the moment of the first event, in the row of which alone a person is', async () => {
    expect((await ask(question)).insight.matrix).toEqual([[2, 1, 2], [1, 1], [0]]);
    // Dan comes back after 14 hours and after 48, eve after a minute less than 48.
    expect((await ask(rolling)).insight.matrix).toEqual([[2, 1, 1], [0, 0], [0]]);
    const { results } = await ask({ ...rolling, selected_interval: '0' });
    expect(results.map(({ name, appearances }) => [name, appearances]).sort()).toEqual([
      ['dan', [1, 0, 1]],
      ['eve', [1, 1, 0]],
    ]);
    const last = await ask({ ...rolling, selected_interval: '0', return_interval: '2' });
    expect(last.results.map(({ name }) => name)).toEqual(['dan']);
  });

  it('are the same for many intervals', async () => {
    const { insight } = await ask({ ...rolling, total_intervals: '70' });
    expect(insight.matrix.slice(-3)).toEqual([[2, 1, 1], [0, 0], [0]]);
  });

  it('are weeks and months of days, and hours', async () => {
    expect((await ask({ ...rolling, period: 'Week' })).insight.matrix.at(-2)).toEqual([2, 0]);
    const hours = { ...rolling, period: 'Hour', date_to: '2024-03-03T23:00:00Z', total_intervals: '60' };
    const row = (await ask(hours)).insight.matrix.find(([began]) => began === 2);
    expect([row?.[0], row?.[14], row?.[47], row?.[48]]).toEqual([2, 1, 1, 1]);
  });

  it.each<Record<string, string>>([{ cumulative: 'true' }, { minimum_occurrences: '2' }, { breakdown: 'size' }])(
    'are refused with %j',
    async (more) => {
      const { status, body } = await service.call('GET', path, { query: { ...bigOrders, ...rolling, ...more } });
      expect([status, body]).toEqual([400, expect.objectContaining({ attr: 'time_window_mode' })]);
    },
  );
});
