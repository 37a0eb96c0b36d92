import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkCorrelations, correlationScene } from '../support/insights/correlation-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('correlations of random streams', () => {
  it('are what following each person gives, before and after persons are merged and split', async () => {
    const streams = 6;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(correlationScene, async (scene) => {
        seen += await checkCorrelations(service, scene);
      }),
      { numRuns: streams, seed: 7, endOnFailure: true },
    );
    // Streams without anything to compare would agree with anything.
    expect(seen).toBeGreaterThan(streams);
  }, 300_000);
});
