import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Browser, type Locator } from 'playwright-core';
import { hasBrowser, openBrowser } from '../support/browser.js';
import { callsOf, linkAt, signInLink, visitor, type Visitor } from '../support/console.js';
import { freePort, removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

const password = 'a long password of grace';

let dataDir: string;
let port: string;
let service: RunningProcess;
let browser: Browser;
let api: Awaited<ReturnType<typeof callsOf>>;
let ada: Visitor;
let grace: Visitor;

const serve = (): Promise<RunningProcess> => start({ DATA_DIR: dataDir, PORT: port });

const send = async (event: string): Promise<void> => {
  const batch = ['ada', 'bob', 'cyd'].map((distinct_id) => ({
    event,
    distinct_id,
    properties: { $set: { plan: 'pro' } },
  }));
  const answer = await fetch(`${service.url}/batch`, {
    method: 'POST',
    body: JSON.stringify({ api_key: api.project_token, batch }),
  });
  expect(answer.status).toBe(200);
};

const open = async ({ page }: Visitor, path: string): Promise<void> => {
  await page.goto(`${service.url}/p/${api.project_id}/${path}`);
  await page.locator('main h1').first().waitFor();
};

/** A person who was at another window comes back to this one. */
const comesBack = ({ page }: Visitor): Promise<unknown> =>
  page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");

/** The mark goes with a reload of the page. */
const mark = ({ page }: Visitor): Promise<unknown> => page.evaluate('globalThis.__mark = true');
const hasMark = ({ page }: Visitor): Promise<boolean> => page.evaluate<boolean>('globalThis.__mark === true');

/** Comes back to the page until it shows what it should: the page reads again what is older than a moment. */
const seenAfterReturn = async (who: Visitor, what: Locator): Promise<void> => {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await comesBack(who);
    if (await what.isVisible()) return;
    await who.page.waitForTimeout(1000);
  }
  throw new Error(`never shown: ${String(what)}`);
};

beforeAll(async () => {
  browser = await openBrowser();
  dataDir = await tempDir();
  port = String(await freePort());
  service = await serve();
  api = await callsOf(dataDir, service.url);
  await send('came');

  ada = await visitor(browser);
  await ada.page.goto(await signInLink(service));
  await ada.page.waitForURL(/\/p\/\d+/);

  const { link } = await api.call<{ link: string }>('POST', `/api/projects/${api.project_id}/invitations`, {
    email: 'grace@example.test',
    role: 'admin',
  });
  grace = await visitor(browser);
  await grace.page.goto(linkAt(service, link));
  await grace.page.getByRole('textbox', { name: 'First name' }).fill('Grace');
  await grace.page.getByRole('textbox', { name: 'Password' }).fill(password);
  await grace.page.getByRole('button', { name: 'Join' }).click();
  await grace.page.waitForURL(/\/p\/\d+/);
  // Before they sign in, pages ask who is there.
  ada.faults.length = grace.faults.length = 0;
}, 120_000);

afterAll(async () => {
  await browser.close();
  await terminate(service);
  await removeDir(dataDir);
}, 60_000);

inBrowser('two people at the console', () => {
  it('see the events that arrive while they watch', async () => {
    await Promise.all([open(ada, 'live'), open(grace, 'live')]);
    await Promise.all([ada, grace].map(({ page }) => page.getByText('Connected', { exact: true }).waitFor()));
    await send('seen by both');
    for (const { page } of [ada, grace])
      await expect(page.getByRole('cell', { name: 'seen by both' }).first().waitFor()).resolves.toBeUndefined();
  }, 60_000);

  it('see a cohort that one of them makes, its members, and its new name', async () => {
    await open(grace, 'cohorts');
    await grace.page.getByText('No cohorts yet').waitFor();
    await mark(grace);

    await open(ada, 'cohorts/new');
    await ada.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Those on pro');
    await ada.page.getByRole('combobox', { name: 'Kind of criterion' }).click();
    await ada.page.getByRole('option', { name: 'the property' }).click();
    await ada.page.getByRole('combobox', { name: 'Property', exact: true }).fill('plan');
    await ada.page.getByRole('option', { name: 'plan', exact: true }).click();
    await ada.page
      .getByRole('combobox', { name: 'Values' })
      .or(ada.page.getByRole('textbox', { name: 'Values' }))
      .fill('pro');
    await ada.page.keyboard.press('Enter');
    await ada.page.getByRole('button', { name: 'Create cohort' }).click();
    await ada.page.waitForURL(/cohorts\/\d+/);

    const row = grace.page.getByRole('row').filter({ hasText: 'Those on pro' });
    await seenAfterReturn(grace, row.getByRole('cell', { name: '3 persons', exact: true }));

    await row.getByRole('link').click();
    await grace.page.getByRole('heading', { level: 1, name: 'Those on pro' }).waitFor();
    await ada.page.getByLabel('Change the name and the description').click();
    await ada.page.getByRole('textbox', { name: 'Name', exact: true }).fill('Those who pay');
    await ada.page.getByRole('button', { name: 'Save', exact: true }).first().click();
    await ada.page.getByRole('heading', { level: 1, name: 'Those who pay' }).waitFor();
    await seenAfterReturn(grace, grace.page.getByRole('heading', { level: 1, name: 'Those who pay' }));
    expect(await hasMark(grace)).toBe(true);
    expect([ada.faults, grace.faults]).toEqual([[], []]);
  }, 120_000);

  it('go on without a reload after the service was restarted under them', async () => {
    await open(ada, 'live');
    await ada.page.getByText('Connected', { exact: true }).waitFor();
    await open(grace, 'cohorts');
    await grace.page.getByRole('link', { name: 'Those who pay' }).waitFor();
    await Promise.all([mark(ada), mark(grace)]);

    await terminate(service);
    // The request fails while nothing answers; the page asks again by itself.
    await grace.page.getByRole('navigation').getByRole('link', { name: 'Persons' }).click();
    await grace.page.waitForTimeout(2000);
    service = await serve();
    await grace.page.getByRole('grid').getByRole('row').nth(1).waitFor({ timeout: 30_000 });
    await ada.page.getByText('Connected', { exact: true }).waitFor({ timeout: 30_000 });
    await send('after the restart');
    await ada.page.getByRole('cell', { name: 'after the restart' }).first().waitFor();
    expect([await hasMark(ada), await hasMark(grace)]).toEqual([true, true]);
  }, 120_000);

  it('have sessions of their own: the sign-out of one leaves the other signed in', async () => {
    grace.faults.length = 0;
    await open(ada, 'live');
    await ada.page.getByRole('button', { name: 'demo' }).click();
    await ada.page.getByRole('menuitem', { name: 'Sign out' }).click();
    await ada.page.waitForURL(/sign-in/);
    await ada.page.goto(`${service.url}/p/${api.project_id}/persons`);
    await ada.page.waitForURL(/sign-in\?return=/);

    await open(grace, 'persons');
    await grace.page.getByRole('grid').getByRole('row').nth(1).waitFor();
    expect(grace.faults).toEqual([]);
  }, 60_000);

  it('are led to the sign-in where their session ended elsewhere, and come back to the same page', async () => {
    await open(grace, 'settings/account');
    await grace.page.getByText('This session').waitFor();
    const { results } = await api.call<{ results: { id: number; email: string }[] }>('GET', '/api/users');
    const { id } = results.find(({ email }) => email === 'grace@example.test') ?? { id: 0 };
    await api.call('DELETE', `/api/users/${id}/sessions`);
    await grace.page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Cohorts' }).click();
    await grace.page.waitForURL(/sign-in\?return=/, { timeout: 30_000 });
    await grace.page.getByRole('textbox', { name: 'E-mail' }).fill('grace@example.test');
    await grace.page.getByRole('textbox', { name: 'Password' }).fill(password);
    await grace.page.getByRole('button', { name: 'Sign in' }).click();
    await grace.page.getByRole('link', { name: 'Those who pay' }).waitFor();
  }, 90_000);
});
