import { afterAll, beforeAll, describe, it } from '@jest/globals';
import fc from 'fast-check';
import { checkTrends, trendsScene } from '../support/insights/trends-check.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});

afterAll(() => service.stop());

describe('trends of random streams', () => {
  it('are what counting event by event gives, and so are the persons behind them', async () => {
    await fc.assert(
      fc.asyncProperty(trendsScene, (scene) => checkTrends(service, scene)),
      { numRuns: 8, seed: 20_260_301 },
    );
  }, 300_000);
});
