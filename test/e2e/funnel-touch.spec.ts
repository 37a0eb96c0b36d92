import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

const event = (distinct_id: string, name: string, hour: number, properties: object = {}) => ({
  ...{ type: 'event', event: name, distinct_id, properties },
  timestamp: `2024-03-01T${String(hour).padStart(2, '0')}:00:00Z`,
});

beforeAll(async () => {
  service = await sharedService();
  await importLines(service, service.project.id, [
    // The first step has no value, the second one has.
    event('ada', 'go', 10),
    event('ada', 'stay', 11, { browser: 'Chrome', page: 'home' }),
    event('bob', 'go', 10, { browser: 'Safari' }),
    event('bob', 'stay', 11),
    // Events that are no step have no say.
    event('bob', 'read', 9, { browser: 'Opera', page: 'help' }),
    event('bob', 'read', 12, { browser: 'Opera', page: 'help' }),
    event('cyd', 'go', 10, { browser: 'Chrome', page: 'shop' }),
    event('cyd', 'stay', 11, { browser: 'Chrome', page: 'home' }),
    event('dan', 'go', 10),
  ]);
});
afterAll(() => service.stop());

const split = async (type: string, more: object = {}): Promise<readonly unknown[]> => {
  const body = {
    ...{ date_from: '2024-03-01', date_to: '2024-03-02', events: [{ id: 'go' }, { id: 'stay' }], include: 'insight' },
    ...{ breakdown: ['browser', 'page'], breakdown_attribution_type: type, ...more },
  };
  const answer = await service.call('POST', `/api/projects/${service.project.id}/persons/funnel`, { body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  const { breakdown } = (answer.body as Answer).insight;
  return breakdown.map(({ value, steps }) => [value, ...steps.map(({ count }) => count)]);
};

interface Answer {
  readonly insight: { readonly breakdown: { readonly value: unknown; readonly steps: { readonly count: number }[] }[] };
}

describe('a funnel that is split by two properties', () => {
  it('takes those of the first step that has one of them', async () => {
    expect(await split('first_touch')).toEqual([
      [['', ''], 1, 0],
      [['Chrome', 'home'], 1, 1],
      [['Chrome', 'shop'], 1, 1],
      [['Safari', ''], 1, 1],
    ]);
  });

  it('takes those of the last step that has one of them', async () => {
    expect(await split('last_touch')).toEqual([
      [['Chrome', 'home'], 2, 2],
      [['', ''], 1, 0],
      [['Safari', ''], 1, 1],
    ]);
  });

  it('does so with exclusions, whose events have no say either', async () => {
    const exclusions = [{ id: 'read' }];
    expect(await split('first_touch', { exclusions })).toEqual(await split('first_touch'));
    expect(await split('last_touch', { exclusions })).toEqual(await split('last_touch'));
  });
});
