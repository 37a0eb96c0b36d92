import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findDisagreements } from '../support/cohorts/agreement.js';
import { startTestService, type TestService } from '../support/service.js';

const definitionsEach = 40;
const streams = Math.ceil(Number(process.env.COHORT_DEFINITIONS ?? 2000) / definitionsEach);

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('thousands of random definitions', () => {
  it.each(['person', 'group'] as const)('of a %s find in random streams what a naive reading finds', async (kind) => {
    const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
    const { compared, telling, disagreements } = await findDisagreements(service, {
      ...{ kind, streams, definitionsEach, seed },
    });
    expect([compared, disagreements.slice(0, 3)]).toEqual([streams * definitionsEach, []]);
    // No members, or all persons, would agree with anything.
    expect(telling).toBeGreaterThan(compared / 6);
  });
});
