import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkRetention, retentionScene } from '../support/insights/retention-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('retention of random streams', () => {
  it('is what following each person gives, before and after persons are merged and split', async () => {
    const streams = 8;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(retentionScene, async (scene) => {
        seen += await checkRetention(service, scene);
      }),
      { numRuns: streams, seed: 20_260_301, endOnFailure: true },
    );
    // Streams in which nobody begins would agree with anything.
    expect(seen).toBeGreaterThan(streams);
  }, 300_000);
});
