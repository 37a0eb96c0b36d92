import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { signedIn } from '../support/signed-in.js';
import { hostileMarkup } from './hostile-markup.js';
import { hostileProject } from './hostile-project.js';

const inBrowser = hasBrowser() ? describe : describe.skip;

let service: ServiceHandle;
let page: Page;

beforeAll(async () => {
  service = await sharedService();
  page = await openPage();
  const user = await signedIn(service, { isOwner: true });
  const [name = '', value = ''] = user.cookie.split('=');
  await page.context().addCookies([{ name, value, url: service.url }]);
}, 120_000);

afterAll(async () => {
  await closeBrowser(page);
  await service.stop();
});

interface Element {
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>;
}

interface Drawn {
  readonly __hostile?: unknown;
  readonly __violations: string[];
  readonly document: {
    readonly body: { readonly innerText: string };
    querySelectorAll(selector: string): Iterable<Element & { readonly value?: string }>;
  };
}

/** What a browser makes of a page, as far as a hostile text could have changed it. */
const drawnOn = (open: Page) =>
  open.evaluate(() => {
    const { document, __hostile, __violations } = globalThis as unknown as Drawn;
    const attributes = [...document.querySelectorAll('*')].flatMap(({ attributes: all }) => [...all]);
    const isLive = ({ name, value }: { name: string; value: string }) =>
      /^on/i.test(name) ||
      (/^(href|src|action|formaction|data|poster)$/i.test(name) && !/^(\/(?!\/)|#|https?:|blob:)/.test(value));
    const inputs = [...document.querySelectorAll('input, textarea')].map(({ value }) => value ?? '');
    return {
      ran: __hostile !== undefined,
      violations: __violations,
      live: attributes.filter(isLive).map(({ name, value }) => `${name}=${value}`),
      texts: [document.body.innerText, ...inputs].join('\n'),
    };
  });

/** Every so many-th text: also in a long run, because each of these is a page or a step of its own. */
const fewTexts = (parts: number): readonly string[] => hostileMarkup.filter((_, at) => at % parts === 0);

/** A page collapses blanks, and so does the comparison. */
const plain = (text: string): string => text.replace(/\s+/g, ' ').trim();

inBrowser('texts that people and events bring', () => {
  it(`are shown as they are, all ${hostileMarkup.length} of them, and none runs, styles the page or leaves it`, async () => {
    expect(hostileMarkup.length).toBeGreaterThanOrEqual(200);
    const project = await hostileProject(service, hostileMarkup);
    const open = page;
    const elsewhere: string[] = [];
    open.on('request', (request) => {
      if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== service.url)
        elsewhere.push(request.url());
    });
    open.on('dialog', (dialog) => void dialog.dismiss().then(() => elsewhere.push(`dialog ${dialog.message()}`)));
    open.on('pageerror', (error) => elsewhere.push(`error ${String(error)}`));
    await open.addInitScript(() => {
      const watched = globalThis as unknown as { __violations?: string[] } & {
        addEventListener(type: string, listener: (event: object) => void): void;
      };
      watched.__violations = [];
      watched.addEventListener('securitypolicyviolation', (event) =>
        watched.__violations?.push(JSON.stringify(event, ['blockedURI', 'violatedDirective', 'sourceFile'])),
      );
    });

    const shown: string[] = [];
    const faults: unknown[] = [];
    const look = async (where: string): Promise<void> => {
      const { ran, violations, live, texts } = await drawnOn(open);
      if (ran || violations.length > 0 || live.length > 0) faults.push({ where, ran, violations, live });
      shown.push(plain(texts));
    };
    const events = encodeURIComponent(JSON.stringify(fewTexts(40).map((id) => ({ id }))));
    const walk: readonly string[] = [
      ...[
        'live',
        `insights/trends?events=${events}&breakdown=name`,
        `insights/funnel?events=${events}`,
        'insights/paths',
      ],
      ...[
        'persons',
        `persons/${project.person}`,
        'cohorts',
        `cohorts/${project.cohort}`,
        `dashboards/${project.dashboard}`,
      ],
      ...['saved', 'saved?shown=insights', 'catalogue', 'catalogue?kind=event', 'catalogue?kind=person'],
      ...['flags', 'alerts'],
      ...['project', 'filters', 'webhooks', 'members', 'data'].map((part) => `settings/${part}`),
    ];
    const names = fewTexts(Math.ceil(hostileMarkup.length / walk.length));
    for (const [at, path] of walk.entries()) {
      // The name of the project is part of every page.
      const body = { name: names[at % names.length] ?? '' };
      expect((await service.call('PATCH', `/api/projects/${project.id}`, { body })).status).toBe(200);
      await open.goto(`${service.url}/p/${project.id}/${path}`);
      await open.locator('main h1').first().waitFor();
      await open.waitForTimeout(700);
      for (let pages = 0; pages < 8; pages += 1) {
        const more = open.getByRole('button', { name: 'Show more', exact: true }).first();
        if (!(await more.isVisible())) break;
        await more.click();
        await open.waitForTimeout(300);
        // While the next page is on its way, it is not known whether another one follows.
        await open.locator('main button[data-loading]').first().waitFor({ state: 'detached' });
      }
      await look(path);
    }
    for (const text of fewTexts(40)) {
      const statement = `select "${text.replaceAll('"', '""')}" from events`;
      await open.goto(`${service.url}/p/${project.id}/sql?q=${encodeURIComponent(statement)}`);
      await open.getByRole('button', { name: 'Run', exact: true }).click();
      await open.getByRole('alert').first().waitFor();
      await look(`sql ${text}`);
    }
    expect(faults).toEqual([]);
    expect(elsewhere).toEqual([]);
    expect(hostileMarkup.filter((text) => !shown.some((page) => page.includes(plain(text))))).toEqual([]);
  }, 240_000);
});
