import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { checkLifecycle, lifecycleScene } from '../support/insights/lifecycle-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({ PROJECTION_WAIT_MS: '60000' });
});

afterAll(() => service.stop());

describe('lifecycle of very many random histories', () => {
  it('is what looking at everybody gives, and so are the persons of each point, before and after merges and splits', async () => {
    const streams = Number(process.env.STREAMS ?? 2000);
    let seen = 0;
    // Two side by side: a question of one waits while the engine works for the other.
    const lane = () =>
      fc.assert(
        fc.asyncProperty(lifecycleScene, async (scene) => {
          seen += await checkLifecycle(service, scene);
        }),
        { numRuns: Math.ceil(streams / 2), endOnFailure: true },
      );
    await Promise.all([lane(), lane()]);
    expect(seen).toBeGreaterThan(streams);
  }, 7_200_000);
});
