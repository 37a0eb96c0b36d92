import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDisagreements } from '../support/cohorts/agreement.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

describe('a random definition', () => {
  it.each(['person', 'group'] as const)('of a %s finds in a random stream what a naive reading finds', async (kind) => {
    const seed = Number(process.env.SEED ?? 20_260_301);
    const { compared, telling, disagreements } = await findDisagreements(service, {
      kind,
      streams: 8,
      definitionsEach: 20,
      seed,
    });
    expect([compared, disagreements.slice(0, 3)]).toEqual([160, []]);
    // No members, or all persons, would agree with anything.
    expect(telling).toBeGreaterThan(compared / 6);
  });
});
