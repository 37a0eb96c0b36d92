import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkFunnels, funnelScene } from '../support/insights/funnel-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('funnels of random streams', () => {
  it('are what following each person gives, before and after persons are merged and split', async () => {
    const streams = 6;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(funnelScene, async (scene) => {
        seen += await checkFunnels(service, scene);
      }),
      { numRuns: streams, seed: 20_260_301, endOnFailure: true },
    );
    // Streams in which nobody gets anywhere would agree with anything.
    expect(seen).toBeGreaterThan(streams);
  }, 300_000);
});
