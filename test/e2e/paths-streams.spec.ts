import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkPaths, pathsScene } from '../support/insights/paths-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('paths of random streams', () => {
  it('are what following each person gives, and so are the persons of each edge', async () => {
    const streams = 6;
    let seen = 0;
    await fc.assert(
      fc.asyncProperty(pathsScene, async (scene) => {
        seen += await checkPaths(service, scene);
      }),
      { numRuns: streams, seed: 20_260_301, endOnFailure: true },
    );
    // Streams without paths would agree with anything.
    expect(seen).toBeGreaterThan(streams);
  }, 600_000);
});
