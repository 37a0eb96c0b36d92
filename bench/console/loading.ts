import { type BrowserContext, type Page } from 'playwright-core';
import { percentile, rounded, type Figure } from '../bench.js';
import { pageTasks, traced } from './trace.js';

export interface Visit {
  readonly url: string;
  /** A browser that has seen nothing yet, signed in. */
  readonly newVisitor: () => Promise<BrowserContext>;
}

const rounds = 7;
/** After so long without a long task the page counts as at rest. */
const quietMs = 1000;

/** Notes the end of the last task that held up the page for more than 50 ms. */
const watchTasks = `
  window.__busyUntil = 0;
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.__busyUntil = Math.max(window.__busyUntil, startTime + duration);
  }).observe({ type: 'longtask', buffered: true });`;

/** Until the page shows its numbers and answers at once: the later of the two, in milliseconds since the navigation began. */
const interactive = async (page: Page, go: () => Promise<unknown>): Promise<number> => {
  await go();
  await page.locator('main .numbers').first().waitFor();
  const shown = await page.evaluate<number>('performance.now()');
  await page.waitForTimeout(quietMs);
  return Math.max(shown, await page.evaluate<number>('window.__busyUntil'));
};

/** As Lighthouse counts it: of each task, what is beyond this many milliseconds. */
const shortTaskMs = 50;

/** Processor time that holds up the page while it loads: unlike time of the clock it does not contain waits for a processor. */
export async function* blockingFigures({ url, newVisitor }: Visit): AsyncGenerator<Figure> {
  for (const path of ['live', 'insights/trends']) {
    const times: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const context = await newVisitor();
      const page = await context.newPage();
      const events = await traced(page, async () => {
        await page.goto(`${url}/p/1/${path}`);
        await page.locator('main .numbers').first().waitFor();
        await page.waitForTimeout(quietMs);
      });
      times.push(pageTasks(events).reduce((sum, { tdur = 0 }) => sum + Math.max(0, tdur / 1000 - shortTaskMs), 0));
      await context.close();
    }
    times.sort((a, b) => a - b);
    const figure = `${path}, processor time of tasks beyond ${shortTaskMs} ms, median of ${rounds}`;
    yield { figure, value: rounded(percentile(times, 0.5), 1), unit: 'ms', atMost: 150 };
  }
}

/** Cold: nothing of the console is in the browser's cache. Warm: all files are. */
export async function* loadFigures({ url, newVisitor }: Visit): AsyncGenerator<Figure> {
  const times = { cold: [] as number[], warm: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    const context = await newVisitor();
    await context.addInitScript(watchTasks);
    const page = await context.newPage();
    times.cold.push(await interactive(page, () => page.goto(`${url}/p/1/live`)));
    times.warm.push(await interactive(page, () => page.goto(`${url}/p/1/live?`)));
    await context.close();
  }
  for (const [which, all] of Object.entries(times)) {
    all.sort((a, b) => a - b);
    const figure = `Live interactive, ${which}`;
    yield { figure: `${figure}, median of ${rounds}`, value: rounded(percentile(all, 0.5), 0), unit: 'ms' };
    yield { figure: `${figure}, worst of ${rounds}`, value: rounded(all.at(-1) ?? NaN, 0), unit: 'ms', atMost: 3000 };
  }
}
