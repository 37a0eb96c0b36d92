import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { groupChecks, insightChecks } from '../support/insights/checks.js';
import { startTestService } from '../support/service.js';

/**
 * `main.js funnel 2000`, in the folder of the repository: so many random streams, one after the other; `main.js groups:funnel 2000` counts groups in place of persons.
 * Prints how many points had persons or groups to compare.
 */
const [insight = '', streams = ''] = process.argv.slice(2);
const [, groups, name = ''] = /^(groups:)?(.*)$/.exec(insight) ?? [];
const check = (groups ? groupChecks : insightChecks)[name];
if (!check || !(Number(streams) > 0))
  throw new Error(`usage: main.js [groups:]${Object.keys(insightChecks).join('|')} <streams>`);

/** Beside Jest, which has started stores, there are none. */
const startStores = async (): Promise<() => Promise<void>> => {
  if (process.env.TEST_POSTGRES) return () => Promise.resolve();
  const load = (name: string) =>
    import(pathToFileURL(resolve(`test/support/global-${name}.mjs`)).href) as Promise<{ default(): Promise<void> }>;
  await (await load('setup')).default();
  return async () => (await load('teardown')).default();
};

const stopStores = await startStores();
const service = await startTestService();
try {
  const began = Date.now();
  const seen = await check(service, { streams: Number(streams) });
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`${JSON.stringify({ insight, streams: Number(streams), seen, seconds })}\n`);
} finally {
  await service.stop();
  await stopStores();
}
