import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let path: string;

const event = (distinct_id: string, at: string, properties: object = {}) => ({
  type: 'event',
  event: 'watched',
  distinct_id,
  timestamp: `${at}:00Z`,
  properties,
});

beforeAll(async () => {
  service = await sharedService();
  path = `/api/projects/${service.project.id}/persons/lifecycle`;
  await importLines(service, service.project.id, [
    event('ada', '2024-03-01T00:00', { length: 'long' }),
    event('ada', '2024-03-02T10:00', { length: 'short' }),
    event('bob', '2024-02-28T10:00', { length: 'long' }),
    event('bob', '2024-03-02T23:59', { length: 'long' }),
  ]);
  // Cyd and Dan are known since the first moment of April, and an event of March comes later.
  await importLines(service, service.project.id, [event('cyd', '2023-04-01T00:00'), event('dan', '2023-04-01T00:00')]);
  await importLines(service, service.project.id, [event('cyd', '2023-03-10T10:00')]);
});
afterAll(() => service.stop());

interface Lifecycle {
  readonly results: { readonly name: string }[];
  readonly insight: Record<'new' | 'returning' | 'resurrecting' | 'dormant', number[]>;
}

const ask = async (query: Record<string, string>): Promise<Lifecycle> => {
  const answer = await service.call('GET', path, {
    query: { events: '[{"id":"watched"}]', ...query },
  });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Lifecycle;
};

describe('a lifecycle', () => {
  const days = { date_from: '2024-03-01', date_to: '2024-03-03' };

  it('has a person as new from the first moment of its first day', async () => {
    expect((await ask(days)).insight).toMatchObject({
      ...{ new: [1, 0, 0], returning: [0, 1, 0], resurrecting: [0, 1, 0], dormant: [0, 0, -2] },
    });
    const { results } = await ask({ ...days, date_to: '2024-03-01' });
    expect(results.map(({ name }) => name)).toEqual(['ada']);
  });

  it('is about the events that pass the filters of its entity', async () => {
    const long = JSON.stringify([{ id: 'watched', properties: [{ key: 'length', value: 'long' }] }]);
    const { insight, results } = await ask({ ...days, events: long });
    expect(insight).toMatchObject({
      ...{ new: [1, 0, 0], returning: [0, 0, 0], resurrecting: [0, 1, 0], dormant: [0, -1, -1] },
    });
    expect(results.map(({ name }) => name).sort()).toEqual(['ada', 'bob']);
  });

  it('ends with its last point, and nobody is new who was created after it', async () => {
    const months = { interval: 'month', date_from: '2023-02-01', date_to: '2023-03-31' };
    const { insight, results } = await ask(months);
    expect(insight).toMatchObject({
      ...{ new: [0, 0], returning: [0, 0], resurrecting: [0, 1], dormant: [0, 0] },
    });
    expect(results.map(({ name }) => name)).toEqual(['cyd']);
  });

  it('has distinct ids whose person was deleted as new when they were first seen', async () => {
    const { id } = await service.newProject();
    await importLines(service, id, [event('eve', '2024-03-01T10:00'), event('eve', '2024-03-02T10:00')]);
    const persons = await service.call('GET', `/api/projects/${id}/persons`);
    const [eve] = (persons.body as { results: { id: number }[] }).results;
    expect((await service.call('DELETE', `/api/projects/${id}/persons/${eve?.id}`)).status).toBe(204);
    const answer = await service.call('GET', `/api/projects/${id}/persons/lifecycle`, { query: days });
    expect((answer.body as Lifecycle).insight).toMatchObject({
      ...{ new: [1, 0, 0], returning: [0, 1, 0], resurrecting: [0, 0, 0], dormant: [0, 0, -1] },
    });
  });
});
