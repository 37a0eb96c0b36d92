import fc from 'fast-check';
import { checkCorrelations, correlationScene } from '../support/insights/correlation-check.js';
import { checkFunnels, funnelScene } from '../support/insights/funnel-check.js';
import { checkLifecycle, lifecycleScene } from '../support/insights/lifecycle-check.js';
import { checkPaths, pathsScene } from '../support/insights/paths-check.js';
import { checkRetention, retentionScene } from '../support/insights/retention-check.js';
import { checkStickiness, stickinessScene } from '../support/insights/stickiness-check.js';
import { checkTrends, trendsScene } from '../support/insights/trends-check.js';
import { startTestService, type TestService } from '../support/service.js';

type Check = (service: TestService) => fc.IAsyncProperty<unknown>;

/** Throws on the first stream for which the insight is not what the naive reading of it gives. */
const checking =
  <Scene>(scenes: fc.Arbitrary<Scene>, check: (service: TestService, scene: Scene) => Promise<unknown>): Check =>
  (service) =>
    fc.asyncProperty(scenes, async (scene) => {
      seen += Number((await check(service, scene)) ?? 1);
    });

const checks: Readonly<Record<string, Check>> = {
  correlation: checking(correlationScene, checkCorrelations),
  funnel: checking(funnelScene, checkFunnels),
  lifecycle: checking(lifecycleScene, checkLifecycle),
  paths: checking(pathsScene, checkPaths),
  retention: checking(retentionScene, checkRetention),
  stickiness: checking(stickinessScene, checkStickiness),
  trends: checking(trendsScene, checkTrends),
};

let seen = 0;

/** `main.js funnel 2000`: so many random streams, one after the other. Prints how many points had persons to compare. */
const [insight = '', streams = ''] = process.argv.slice(2);
const check = checks[insight];
if (!check || !(Number(streams) > 0)) throw new Error(`usage: main.js ${Object.keys(checks).join('|')} <streams>`);
const service = await startTestService({ PROJECTION_WAIT_MS: '60000' });
try {
  await fc.assert(check(service), { numRuns: Number(streams), endOnFailure: true });
  process.stdout.write(`${JSON.stringify({ insight, streams: Number(streams), seen })}\n`);
} finally {
  await service.stop();
}
