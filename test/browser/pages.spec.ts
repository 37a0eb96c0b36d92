import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Page } from 'playwright-core';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { signedIn } from '../support/signed-in.js';
import { wideTables } from './wide-tables.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

/** Each of them would set the mark if the page took it for markup, a script or an address. */
const hostile = [
  '<img src=x onerror="window.__hostile=1">',
  '"><script>window.__hostile=1</script>',
  "javascript:window.__hostile=1//'",
  '<svg onload=window.__hostile=1>{{constructor.constructor("window.__hostile=1")()}}',
];

interface Finding {
  readonly id: string;
  readonly impact: string | null;
  readonly nodes: readonly { readonly html: string }[];
}

interface Watched {
  readonly __hostile?: number;
  readonly document: { readonly documentElement: { readonly scrollWidth: number } };
  readonly axe: { run(options: object): Promise<{ violations: Finding[] }> };
}

/** Pages with as many columns as their answers have. */
const ofNumbers = /^(insights|dashboards|sql)/;

const steps = encodeURIComponent(JSON.stringify([{ id: hostile[0] }, { id: 'order paid' }]));

let service: ServiceHandle;
let page: Page;
let axe: string;
let paths: readonly string[];
const faults: string[] = [];

const made = async (path: string, body: object): Promise<number> => {
  const answer = await service.call('POST', `/api/projects/${service.project.id}/${path}`, { body });
  return (answer.body as { id: number }).id;
};

beforeAll(async () => {
  service = await sharedService();
  const [event = '', key = '', value = '', name = ''] = hostile;
  const batch = ['ada', 'grace', value].flatMap((distinctId) =>
    [event, 'order paid'].map((each) => ({
      event: each,
      distinct_id: distinctId,
      properties: { [key]: value, $current_url: hostile[2], $set: { name, [key]: value }, $groups: { [event]: key } },
    })),
  );
  const sent = { api_key: service.project.api_token, batch };
  expect((await fetch(`${service.url}/batch`, { method: 'POST', body: JSON.stringify(sent) })).status).toBe(200);
  const criterion = { type: 'behavioral', value: 'performed_event', key: event, event_type: 'events' };
  const filters = { properties: { type: 'AND', values: [{ ...criterion, time_value: 30, time_interval: 'day' }] } };
  const cohort = await made('cohorts', { name, description: value, filters });
  const account = await made('groups', {
    group_type: name,
    group_key: value,
    group_properties: { name, [key]: value },
  });
  const question = { type: 'trends', params: { events: [{ id: event }] } };
  const insight = await made('insights', { name, description: value, question });
  const dashboard = await made('dashboards', { name, description: value, tiles: [{ insight_id: insight }] });
  const { body } = await service.call('GET', `/api/projects/${service.project.id}/persons`, { query: { limit: '1' } });
  const { uuid } = (body as { results: { uuid: string }[] }).results[0] ?? { uuid: '' };

  const rules = { groups: [{ properties: [], rollout_percentage: 50 }] };
  const flag = await made('feature_flags', { key: 'new-checkout', name, filters: rules });
  const bounds = { configuration: { type: 'absolute', bounds: { lower: 1 } } };
  const alert = await made('alerts', { name, insight, threshold: bounds });

  paths = [
    'overview',
    'live',
    `insights/trends?events=${steps}`,
    `insights/funnel?events=${steps}`,
    ...['retention', 'paths', 'lifecycle', 'stickiness'].map((kind) => `insights/${kind}`),
    `insights/correlation?events=${steps}`,
    ...['saved', 'saved?shown=insights', `dashboards/${dashboard}`],
    ...[
      'persons',
      `persons/${uuid}`,
      `persons/${uuid}?tab=merges`,
      `persons/${uuid}?tab=flags`,
      'cohorts',
      'cohorts/new',
      'sql',
    ],
    ...['accounts', `accounts?type=${encodeURIComponent(name)}`],
    ...['', '?tab=persons', '?tab=events', '?tab=flags', '?tab=activity'].map((tab) => `accounts/${account}${tab}`),
    ...['', '?tab=members', '?tab=history', '?tab=changes'].map((tab) => `cohorts/${cohort}${tab}`),
    ...['flags', 'flags/new'],
    ...['', '?tab=subjects', '?tab=calls', '?tab=activity'].map((tab) => `flags/${flag}${tab}`),
    ...['alerts', 'alerts/new'],
    ...['', '?tab=checks', '?tab=activity'].map((tab) => `alerts/${alert}${tab}`),
    ...['catalogue', 'catalogue?kind=event', 'catalogue?kind=person'],
    ...['project', 'filters', 'keys', 'webhooks', 'members', 'users', 'account', 'data', 'deletions', 'health'].map(
      (part) => `settings/${part}`,
    ),
  ];
  page = await openPage();
  axe = await readFile(join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js'), 'utf8');
  const user = await signedIn(service, { isOwner: true });
  const newKey = { label: 'A key with a label that is long', scopes: ['person:read', 'cohort:read', 'insight:write'] };
  expect((await user.call('POST', '/api/personal_api_keys', { body: newKey })).status).toBe(201);
  const [cookieName = '', cookie = ''] = user.cookie.split('=');
  await page.context().addCookies([{ name: cookieName, value: cookie, url: service.url }]);
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(`${page.url()} console: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()} error: ${String(error)}`));
  page.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.status()} ${response.request().method()} ${response.url()}`);
  });
}, 120_000);

afterAll(async () => {
  await closeBrowser(page);
  await service.stop();
});

const settled = async (open: Page, path: string): Promise<void> => {
  await open.goto(`${service.url}/p/${service.project.id}/${path}`);
  await open.locator('main h1').first().waitFor();
  // The live page has a stream that never ends, so the network is never idle there.
  await open.waitForTimeout(700);
};

inBrowser('every page of the console', () => {
  it.each(['light', 'dark'] as const)(
    'is drawn in %s without an error or a failed request, runs no text as a script, and is accessible',
    async (colorScheme) => {
      const open = page;
      const barriers: string[] = [];
      await open.emulateMedia({ colorScheme });
      for (const path of paths) {
        await settled(open, path);
        // Not as an element: the page's policy allows no inline script.
        await open.evaluate(axe);
        const found = await open.evaluate(async () => {
          const { axe: checker, __hostile } = globalThis as unknown as Watched;
          const { violations } = await checker.run({ resultTypes: ['violations'] });
          return { violations, ran: __hostile ?? 0 };
        });
        expect([path, found.ran]).toEqual([path, 0]);
        for (const { id, impact, nodes } of found.violations)
          if (impact === 'serious' || impact === 'critical')
            barriers.push(`${colorScheme} ${path}: ${id} ${nodes[0]?.html.slice(0, 200)}`);
      }
      expect(barriers).toEqual([]);
      expect(faults.splice(0)).toEqual([]);
    },
    240_000,
  );

  it('fits a phone: only tables of numbers scroll sideways', async () => {
    await page.setViewportSize({ width: 390, height: 800 });
    const wide: string[] = [];
    for (const path of paths) {
      await settled(page, path);
      const width = await page.evaluate(() => (globalThis as unknown as Watched).document.documentElement.scrollWidth);
      if (width > 390) wide.push(`${path}: ${width}`);
      if (!ofNumbers.test(path)) wide.push(...(await wideTables(page)).map((table) => `${path}: ${table}`));
    }
    expect(wide).toEqual([]);
  }, 120_000);

  it('brings the focus back to what opened a menu or a dialog whose code came with its first use', async () => {
    const open = page;
    await open.setViewportSize({ width: 1280, height: 900 });
    await settled(open, 'insights/trends');
    for (const [name, role] of [
      ['Share', 'menu'],
      ['Last 7 days', 'dialog'],
      ['Save', 'dialog'],
    ] as const) {
      const button = open.getByRole('button', { name, exact: true });
      await button.focus();
      await open.keyboard.press('Enter');
      const opened = open.getByRole(role);
      await opened.waitFor();
      await opened
        .locator(':focus')
        .or(opened.and(open.locator(':focus')))
        .first()
        .waitFor({ state: 'attached' });
      await open.keyboard.press('Escape');
      await opened.waitFor({ state: 'hidden' });
      await button.and(open.locator(':focus')).waitFor();
    }
    expect(faults.splice(0)).toEqual([]);
  }, 30_000);
});

inBrowser('a question about an event that has never arrived', () => {
  it('shows what was probably meant', async () => {
    const misspelt = encodeURIComponent(JSON.stringify([{ id: 'order payd' }]));
    await settled(page, `insights/trends?events=${misspelt}`);
    const warning = page.getByText('No event named order payd has arrived: did you mean order paid?');
    await warning.waitFor();
    expect(await warning.isVisible()).toBe(true);
  });
});
