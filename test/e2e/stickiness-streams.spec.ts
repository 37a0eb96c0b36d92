import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkStickiness, stickinessScene } from '../support/insights/stickiness-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ PROJECTION_WAIT_MS: '60000' });
});

afterAll(() => service.stop());

describe('stickiness of random histories', () => {
  it('is what looking at everybody gives, and so are the persons of each point, before and after merges and splits', async () => {
    const streams = 8;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(stickinessScene, async (scene) => {
        seen += await checkStickiness(service, scene);
      }),
      { numRuns: streams, seed: 20_260_301, endOnFailure: true },
    );
    // Histories in which nobody is seen would agree with anything.
    expect(seen).toBeGreaterThan(0);
  }, 300_000);
});
