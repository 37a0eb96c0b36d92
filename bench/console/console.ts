import { type Browser, type BrowserContext } from 'playwright-core';
import { launch, removeDir, tempDir, terminate, untilReady } from '../../test/support/process.js';
import { hasBrowser, openBrowser } from '../../test/support/browser.js';
import { rounded, type Bench, type Figure } from '../bench.js';
import { makePersons } from '../support/persons.js';
import { withService, type BenchedService } from '../support/service.js';
import { chunkFigures, gzippedOf, neededBy } from './chunks.js';
import { blockingFigures, loadFigures, type Visit } from './loading.js';
import { navigationFigures } from './navigation.js';
import { scrollFigures } from './scrolling.js';

const personCount = Number(process.env.BENCH_PERSONS ?? 100_000);

/** How large the console is, how soon it can be used, and whether a long list scrolls smoothly: in a browser, signed in. */
export const consoleBench: Bench = {
  name: 'console',
  async *run(): AsyncGenerator<Figure> {
    if (!hasBrowser()) throw new Error('The bench of the console needs Chromium: apt-get install chromium');
    const browser = await openBrowser();
    try {
      yield* onDemo(browser);
      yield* withService((service) => onManyPersons(browser, service));
      yield* chunkFigures();
    } finally {
      await browser.close();
    }
  },
};

/** The demo prints a link that signs in once. */
async function* onDemo(browser: Browser): AsyncGenerator<Figure> {
  const dataDir = await tempDir();
  const demo = await launch({ DATA_DIR: dataDir }, ['demo']);
  try {
    await untilReady(demo);
    const link = new URL(await linkOf(() => demo.output()));
    const url = link.origin;
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
    const page = await context.newPage();
    await page.goto(link.href);
    await page.waitForURL(/\/p\/\d+/);
    const state = await context.storageState();
    await context.close();
    const newVisitor = (): Promise<BrowserContext> =>
      browser.newContext({ viewport: { width: 1280, height: 800 }, storageState: state });
    const visit: Visit = { url, newVisitor };
    yield* firstLoad(visit);
    yield* loadFigures(visit);
    yield* blockingFigures(visit);
    yield* navigationFigures(visit);
  } finally {
    await terminate(demo);
    await removeDir(dataDir);
  }
}

const linkOf = async (output: () => string): Promise<string> => {
  for (let wait = 0; wait < 600; wait += 1) {
    const [link] = /http:\/\/\S+#signin=\S+/.exec(output()) ?? [];
    if (link !== undefined) return link;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`the demo printed no link:\n${output()}`);
};

/** The document with all that it names and what the Live page cannot be drawn without; then all that was loaded in the end. */
async function* firstLoad({ url, newVisitor }: Visit): AsyncGenerator<Figure> {
  const context = await newVisitor();
  const page = await context.newPage();
  const files = new Set<string>();
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith('/api/')) files.add(pathname.startsWith('/p/') ? '/index.html' : pathname);
  });
  await page.goto(`${url}/p/1/live`);
  await page.locator('main .numbers').first().waitFor();
  await page.waitForTimeout(3000);
  await context.close();
  const needed = await neededBy([]);
  const loaded = [...files].filter(
    (file) => file === '/index.html' || !file.startsWith('/assets/') || needed.has(file),
  );
  const kilobytes = async (list: readonly string[]) => {
    const sizes = await Promise.all(list.map(gzippedOf));
    return rounded(sizes.reduce((sum, size) => sum + size, 0) / 1000, 1);
  };
  yield { figure: 'first load of Live, gzipped', value: await kilobytes(loaded), unit: 'kB', atMost: 200 };
  yield { figure: 'first load of Live, files', value: loaded.length, unit: 'files' };
  yield { figure: 'Live with what comes after it is drawn, gzipped', value: await kilobytes([...files]), unit: 'kB' };
  const trends = [...(await neededBy(['insight-page', 'trends-kind']))];
  yield { figure: 'first load of trends on a phone, gzipped', value: await kilobytes(trends), unit: 'kB', atMost: 200 };
}

async function* onManyPersons(browser: Browser, service: BenchedService): AsyncGenerator<Figure> {
  await makePersons(service, personCount);
  const context = await browser.newContext({
    viewport: { width: 1280, height: 800 },
    extraHTTPHeaders: { authorization: `Bearer ${service.personal_api_key}` },
  });
  yield* scrollFigures(await context.newPage(), new URL(`/p/${service.project_id}/persons`, service.url), personCount);
  await context.close();
}
