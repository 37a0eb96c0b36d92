import { insightChecks } from '../support/insights/checks.js';
import { startTestService } from '../support/service.js';

/** `main.js funnel 2000`: so many random streams, one after the other. Prints how many points had persons to compare. */
const [insight = '', streams = ''] = process.argv.slice(2);
const check = insightChecks[insight];
if (!check || !(Number(streams) > 0))
  throw new Error(`usage: main.js ${Object.keys(insightChecks).join('|')} <streams>`);
const service = await startTestService();
try {
  const seen = await check(service, { streams: Number(streams) });
  process.stdout.write(`${JSON.stringify({ insight, streams: Number(streams), seen })}\n`);
} finally {
  await service.stop();
}
