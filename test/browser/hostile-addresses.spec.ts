import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type BrowserContext, type Page } from 'playwright-core';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.js';
import { sampleOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { until } from '../support/until.js';
import { makeLink, makeUser, signedIn } from '../support/signed-in.js';
import { hostileMarkup } from './hostile-markup.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

/** What somebody else's link, page or frame does to a person who is signed in. */
let service: ServiceHandle;
let page: Page;
let cookies: Parameters<BrowserContext['addCookies']>[0];
/** A page of another origin that frames what its query says. */
let other: Server;
let otherUrl: string;

beforeAll(async () => {
  service = await sharedService();
  other = createServer((request, response) => {
    const framed = new URL(request.url ?? '/', 'http://other').searchParams.get('framed') ?? '';
    response.setHeader('content-type', 'text/html').end(`<iframe src="${framed}"></iframe>`);
  }).listen(0, '127.0.0.1');
  await once(other, 'listening');
  otherUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  page = await openPage();
  const [name = '', value = ''] = (await signedIn(service, { isOwner: true })).cookie.split('=');
  cookies = [{ name, value, url: service.url }];
  await page.context().addCookies(cookies);
}, 120_000);

afterAll(async () => {
  await closeBrowser(page);
  other.closeAllConnections();
  await new Promise((resolve) => other.close(resolve));
  await service.stop();
});

const html = { accept: 'text/html,application/xhtml+xml' };

inBrowser('an answer to a browser', () => {
  it('is never a page that has the text of its address, and no other type than it says', async () => {
    const text = '<svg onload=window.__hostile=1>';
    const paths = ['/', '/docs', '/docs/guides', '/sign-in', '/metrics', '/openapi.json', '/api/projects', '/none'];
    const hostile = [
      '/none/',
      '/api/projects/',
      '/docs/',
      '/array/',
      '/static/',
      '/api/sessions/oidc/start?return_to=',
    ];
    for (const path of [...paths, ...hostile.map((start) => start + encodeURIComponent(text))]) {
      const { headers, body } = await fetch(service.url + path, { headers: html, redirect: 'manual' });
      const policy = headers.get('content-security-policy') ?? '';
      expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff']);
      expect([path, policy]).toEqual([path, expect.stringMatching(/script-src 'self'(;|$)/)]);
      expect([path, policy]).toEqual([path, expect.stringMatching(/frame-ancestors '(none|self)'/)]);
      if (headers.get('content-type')?.startsWith('text/html'))
        expect([path, (await new Response(body).text()).includes(text)]).toEqual([path, false]);
      else await body?.cancel();
    }
  });
});

/** Places of an address from which a page reads its state. `TEXT` is replaced. */
const places = (project: number): string[] => [
  ...['/sign-in?refused=TEXT', '/sign-in?return=TEXT', '/#TEXT', '/#invitation=TEXT', '/#signin=TEXT', '/p/TEXT/live'],
  ...['/invitation#invitation=TEXT', '/docs?url=TEXT&configUrl=TEXT#/TEXT', '/docs#/TEXT/TEXT'],
  ...[
    'TEXT',
    'live?event=TEXT&events=TEXT',
    'insights/trends?events=TEXT&breakdown=TEXT&date_from=TEXT&interval=TEXT&properties=TEXT',
    'insights/trends?events=[{"id":"TEXT","name":"TEXT"}]&display=TEXT',
    'insights/funnel?events=[{"id":"TEXT"}]&funnel_window_interval=TEXT',
    'insights/TEXT',
    'persons?search=TEXT&properties=[{"key":"TEXT","value":"TEXT"}]',
    'persons/TEXT?tab=TEXT',
    'cohorts/TEXT?tab=TEXT',
    'dashboards/TEXT',
    'sql?q=TEXT',
    'saved?shown=TEXT&search=TEXT',
    'catalogue?kind=TEXT&search=TEXT',
    'settings/TEXT',
    'settings/webhooks?webhook=TEXT',
  ].map((path) => `/p/${project}/${path}`),
];

interface Watched {
  __violations?: string[];
  readonly __hostile?: unknown;
  readonly document: {
    querySelectorAll(selector: string): Iterable<{ getAttribute(name: string): string | null }>;
  };
  addEventListener(type: string, listener: (event: object) => void): void;
}

/** Collects what leaves the origin, and what the policy had to stop. */
const watch = async (open: Page): Promise<string[]> => {
  const seen: string[] = [];
  open.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url) seen.push(request.url());
  });
  open.on('dialog', (dialog) => void dialog.dismiss().then(() => seen.push(`dialog ${dialog.message()}`)));
  open.on('pageerror', (error) => seen.push(`error ${String(error)}`));
  await open.addInitScript(() => {
    const watched = globalThis as unknown as Watched;
    watched.__violations = [];
    watched.addEventListener('securitypolicyviolation', (event) =>
      watched.__violations?.push(JSON.stringify(event, ['blockedURI', 'violatedDirective', 'sourceFile'])),
    );
  });
  return seen;
};

const drawnOn = (open: Page) =>
  open.evaluate(() => {
    const { document, __hostile, __violations = [] } = globalThis as unknown as Watched;
    const links = [...document.querySelectorAll('[href], [src], [action], [formaction]')].flatMap((element) =>
      ['href', 'src', 'action', 'formaction'].map((name) => element.getAttribute(name) ?? ''),
    );
    return {
      ran: __hostile !== undefined,
      violations: __violations,
      live: links.filter((to) => /^\W*\w*script:/i.test(to.replace(/[\t\n\r]/g, '')) && !to.startsWith('/')),
    };
  });

inBrowser('an address that somebody else wrote', () => {
  it('runs nothing, asks no other host and needs no rescue by the policy', async () => {
    const seen = await watch(page);
    const faults: unknown[] = [];
    const all = places(service.project.id);
    const texts = sampleOf(hostileMarkup, 8);
    // Each place gets its texts in turn: one of them, or with all of them a tenth.
    expect(texts.length).toBeGreaterThanOrEqual(all.length);
    for (const [at, text] of texts.entries()) {
      const place = all[at % all.length] ?? '';
      const address = place.replaceAll(
        'TEXT',
        encodeURIComponent(place.includes('"TEXT"') ? JSON.stringify(text).slice(1, -1) : text),
      );
      await page.goto('about:blank');
      await page.goto(service.url + address);
      await page.locator('h1, [role=alert], .swagger-ui .info').first().waitFor();
      const drawn = await drawnOn(page);
      if (drawn.ran || drawn.violations.length > 0 || drawn.live.length > 0) faults.push({ address, ...drawn });
      if (new URL(page.url()).origin !== service.url) faults.push({ address, left: page.url() });
    }
    expect([faults, seen]).toEqual([[], []]);
  }, 900_000);

  it('does not lead elsewhere after signing in', async () => {
    const owner = await makeUser(service, { isOwner: true });
    const addresses = [
      '/p/..//evil.test/',
      '/p/../\\evil.test',
      '/p//../..//evil.test',
      '//evil.test',
      'javascript:alert(1)',
    ];
    for (const address of sampleOf(addresses, 2)) {
      await page.context().clearCookies();
      const token = await makeLink(service, owner.id);
      const seen = await watch(page);
      await page.goto('about:blank');
      await page.goto(`${service.url}/sign-in?return=${encodeURIComponent(address)}#signin=${token}`);
      await page.waitForURL((url) => url.pathname !== '/sign-in');
      await page.locator('h1').first().waitFor();
      expect([address, new URL(page.url()).origin, seen]).toEqual([address, service.url, []]);
    }
  }, 60_000);
});

inBrowser('a page of another origin', () => {
  it('cannot frame any of the pages, so it can steal no click', async () => {
    await page.context().addCookies(cookies);
    const paths = [
      '/',
      '/sign-in',
      `/p/${service.project.id}/settings/members`,
      '/docs',
      '/docs/guides',
      '/openapi.json',
    ];
    for (const path of paths) {
      const framed = service.url + path;
      await page.goto(`${otherUrl}/?framed=${encodeURIComponent(framed)}`);
      await page.waitForLoadState('load');
      const frame = page.frames()[1];
      // Until a redirect is refused, too.
      await until(() => frame?.url() !== '');
      expect([path, frame?.url()]).toEqual([path, expect.stringMatching(/^chrome-error:/)]);
    }
  }, 60_000);
});
