import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser } from 'playwright-core';
import { hasBrowser, openBrowser } from '../support/browser.js';
import { callsOf, signInLink, visitor, type Visitor } from '../support/console.js';
import { removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';
import { Hands } from './walk/hands.js';
import { insightSteps } from './walk/insights.js';
import { recordSteps } from './walk/records.js';
import { settingSteps } from './walk/settings.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

const pages = Object.entries({ ...insightSteps, ...recordSteps, ...settingSteps });

let dataDir: string;
let service: RunningProcess;
let browser: Browser;
let person: Visitor;
let hands: Hands;

beforeAll(async () => {
  browser = await openBrowser();
  dataDir = await tempDir();
  service = await start({ DATA_DIR: dataDir }, ['demo']);
  const link = await signInLink(service);
  const { project_id: project, call } = await callsOf(dataDir, service.url);
  person = await visitor(browser);
  await person.context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.url });
  await person.page.goto(link);
  await person.page.waitForURL(/\/p\/\d+/);
  hands = new Hands(person.page, `${service.url}/p/${project}`, (path) =>
    call('GET', `/api/projects/${project}${path === '' ? '' : `/${path}`}`),
  );
  person.faults.length = 0;
}, 240_000);

afterAll(async () => {
  await browser.close();
  await terminate(service);
  await removeDir(dataDir);
}, 60_000);

/** Steps build on those before them; a page whose step fails leaves the others as they are. */
inBrowser.each(pages)('on the pages of %s a person', (_, steps) => {
  it.each(steps)(
    '%s',
    async (_what, act) => {
      await act(hands);
      expect(person.faults.splice(0)).toEqual([]);
    },
    120_000,
  );
});
