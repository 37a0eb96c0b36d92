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
  timestamp: `${at}:00Z`,
  properties,
});

const joined = (distinct_id: string, at: string, size = 'big') => event(distinct_id, at, 'joined', { size });
const back = (distinct_id: string, at: string) => event(distinct_id, at, 'back');

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}/persons/retention`;
  await importLines(service, service.project.id, [
    // Kim joined before the three days, and Lou at their first moment.
    joined('kim', '2024-02-20T10:00'),
    back('kim', '2024-02-20T11:00'),
    joined('kim', '2024-03-01T10:00'),
    back('kim', '2024-03-02T10:00'),
    back('kim', '2024-03-02T11:00'),
    joined('lou', '2024-03-01T00:00'),
    joined('lou', '2024-03-02T10:00'),
    back('lou', '2024-03-02T11:00'),
    back('lou', '2024-03-03T10:00'),
    back('lou', '2024-03-03T11:00'),
    // The first time that Max joined was a small one.
    joined('max', '2024-03-01T10:00', 'small'),
    joined('max', '2024-03-02T10:00'),
    back('max', '2024-03-03T10:00'),
    back('max', '2024-03-03T11:00'),
    // Nia never joined.
    back('nia', '2024-03-02T10:00'),
    back('nia', '2024-03-02T11:00'),
    back('nia', '1970-01-02T10:00'),
    // Ove came back at the first moment after March.
    event('ove', '2024-01-05T10:00', 'hired'),
    event('ove', '2024-04-01T00:00', 'paid'),
  ]);
});
afterAll(() => service.stop());

const threeDays = {
  target_entity: JSON.stringify({ id: 'joined', properties: [{ key: 'size', value: 'big' }] }),
  returning_entity: '{"id":"back"}',
  total_intervals: '3',
  date_to: '2024-03-03',
};

interface Retention {
  readonly results: { readonly name: string }[];
  readonly insight: { readonly matrix: number[][] };
}

const ask = async (query: Record<string, string>): Promise<Retention> => {
  const answer = await service.call('GET', path, { query: { ...threeDays, ...query } });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Retention;
};
const matrixOf = async (query: Record<string, string>) => (await ask(query)).insight.matrix;

describe('a retention', () => {
  it.each([
    ['recurring', '1', [[2, 2, 1], [2, 2], [0]]],
    ['first_time', '1', [[1, 1, 1], [1, 1], [0]]],
    ['first_ever_occurrence', '1', [[1, 1, 1], [0, 0], [0]]],
    ['recurring', '2', [[2, 1, 1], [2, 2], [0]]],
    ['first_time', '2', [[1, 0, 1], [1, 1], [0]]],
    ['first_ever_occurrence', '2', [[1, 0, 1], [0, 0], [0]]],
  ])('of the type %s counts who comes back %s times in an interval', async (retention_type, often, matrix) => {
    expect(await matrixOf({ retention_type, minimum_occurrences: often })).toEqual(matrix);
  });

  it('of one entity with filters counts only what passes them', async () => {
    const returning_entity = threeDays.target_entity;
    expect(await matrixOf({ returning_entity })).toEqual([[2, 1, 0], [2, 0], [0]]);
    const any = JSON.stringify({ id: null, properties: [{ key: 'size', value: 'small' }] });
    expect(await matrixOf({ target_entity: any, returning_entity: any })).toEqual([[1, 0, 0], [0, 0], [0]]);
  });

  it.each([64, 65])('of %d days has the numbers of a short one', async (days) => {
    const total = { total_intervals: String(days) };
    const kim = [1, ...Array.from({ length: 10 }, () => 0), 1, 0];
    const matrix = await matrixOf({ ...total, retention_type: 'first_time' });
    expect(matrix.slice(-3)).toEqual([[1, 1, 1], [1, 1], [0]]);
    expect(matrix.at(-13)).toEqual(kim);
    expect((await matrixOf(total)).slice(-13)).toEqual([
      kim,
      ...Array.from({ length: 9 }, (_, at) => kim.slice(at + 1).map(() => 0)),
      [2, 2, 1],
      [2, 2],
      [0],
    ]);
    const often = await matrixOf({ ...total, retention_type: 'first_time', minimum_occurrences: '2' });
    expect([often.at(-13)?.[11], ...often.slice(-3)]).toEqual([1, [1, 0, 1], [1, 1], [0]]);
    const cumulative = await matrixOf({ ...total, cumulative: 'true' });
    expect([cumulative.at(-13), cumulative.at(-3)]).toEqual([kim.map((_, later) => (later < 12 ? 1 : 0)), [2, 2, 1]]);
    const cell = { ...total, selected_interval: String(days - 13), return_interval: '11' };
    expect((await ask(cell)).results.map(({ name }) => name)).toEqual(['kim']);
  });

  it('ends with its last interval, whose months have different lengths', async () => {
    const months = { period: 'Month', date_to: '2024-03-31', target_entity: '{"id":"hired"}' };
    const paid = { ...months, returning_entity: '{"id":"paid"}' };
    expect(await matrixOf(paid)).toEqual([[1, 0, 0], [0, 0], [0]]);
    expect(await matrixOf({ ...paid, date_to: '2024-04-01' })).toEqual([[0, 0, 0], [0, 0], [0]]);
    expect(await matrixOf({ ...paid, total_intervals: '4', date_to: '2024-04-01' })).toEqual([
      [1, 0, 0, 1],
      [0, 0, 0],
      [0, 0],
      [0],
    ]);
  });

  it.each(['first_time', 'first_ever_occurrence'])(
    'of the type %s begins for nobody who only came back',
    async (type) => {
      for (const minimum_occurrences of ['1', '2']) {
        const matrix = await matrixOf({ retention_type: type, minimum_occurrences, date_to: '1970-01-02' });
        expect(matrix).toEqual([[0, 0, 0], [0, 0], [0]]);
      }
    },
  );

  it('begins with the very first event of any name', async () => {
    const target_entity = JSON.stringify({ id: null, properties: [{ key: 'size', value: 'big' }] });
    const matrix = await matrixOf({ target_entity, retention_type: 'first_ever_occurrence' });
    expect(matrix).toEqual([[1, 1, 1], [0, 0], [0]]);
  });

  it('lists first who came back in the most intervals', async () => {
    const names = async (query: Record<string, string>) => (await ask(query)).results.map(({ name }) => name);
    expect(await names({})).toEqual(['lou', 'kim']);
  });
});
