import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createReadStream } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo } from 'node:net';
import { Client } from 'pg';
import { type Page } from 'playwright-core';
import { OFREPProvider } from '@openfeature/ofrep-provider';
import { OpenFeature } from '@openfeature/server-sdk';
import { PostHog } from 'posthog-node';
import { Config } from '../../src/platform/config/config.js';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type GroupDto } from '../../src/groups/group.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let project: ProjectDto;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const events = async (): Promise<EventDto[]> => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/events`, { query: { limit: 1000 } });
  return [...(body as { results: EventDto[] }).results].reverse();
};

interface StoredPerson {
  readonly distinct_ids: string[];
  readonly properties: Record<string, unknown>;
  readonly is_identified: boolean;
}

const persons = async (): Promise<StoredPerson[]> => {
  const client = new Client({ connectionString: service.app.get(Config).databaseUrl?.href });
  await client.connect();
  const { rows } = await client.query<StoredPerson>(
    `SELECT p.properties, p.is_identified, array_agg(d.distinct_id ORDER BY d.position) AS distinct_ids
     FROM persons p JOIN person_distinct_ids d ON d.project_id = p.project_id AND d.person_id = p.id
     WHERE p.project_id = $1 GROUP BY p.id, p.properties, p.is_identified ORDER BY p.id`,
    [project.id],
  );
  await client.end();
  return rows;
};

/** The companies, and how many of them a question counts by an event. */
const companies = async (event: string) => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/groups`, { query: { group_type_index: 0 } });
  const groups = (body as { results: GroupDto[] }).results.map((group) => [group.group_key, group.group_properties]);
  const answer = await service.call('GET', `/api/projects/${project.id}/persons/trends`, {
    query: {
      events: JSON.stringify([{ id: event, math: 'dau' }]),
      aggregation_group_type_index: 0,
      display: 'BoldNumber',
    },
  });
  const { count, results, insight } = answer.body as {
    count: number;
    results: { group_key: string }[];
    insight: { series: { aggregated_value: number }[] };
  };
  const [counted] = insight.series;
  return { groups, counted: counted?.aggregated_value, count, listed: results.map((group) => group.group_key) };
};

describe('posthog-node, unmodified', () => {
  it('captures, identifies, aliases, groups, sets and unsets, and shuts down without an error or a retry', async () => {
    const requests: string[] = [];
    const sdk = new PostHog(project.api_token, {
      host: service.url,
      flushAt: 20,
      fetch: (url, options) => {
        requests.push(String(url));
        return fetch(url, options);
      },
    });
    const errors: unknown[] = [];
    sdk.on('error', (error: unknown) => errors.push(error));
    sdk.capture({ distinctId: 'anon', event: 'visited', properties: { page: '/' } });
    sdk.identify({ distinctId: 'ada', properties: { email: 'ada@example.test', plan: 'free' } });
    sdk.alias({ distinctId: 'ada', alias: 'anon' });
    sdk.groupIdentify({ groupType: 'company', groupKey: 'acme', properties: { seats: 5 } });
    sdk.capture({
      distinctId: 'ada',
      event: 'upgraded',
      properties: { $set: { plan: 'pro' }, $set_once: { first_plan: 'free' } },
      groups: { company: 'acme' },
    });
    sdk.capture({ distinctId: 'ada', event: 'forgot', properties: { $unset: ['email'] } });
    sdk.capture({ distinctId: 'ghost', event: 'personless', properties: { $process_person_profile: false } });
    await sdk.shutdown();
    expect(errors).toEqual([]);
    expect(requests.filter((url) => url.includes('/batch'))).toHaveLength(1);
    expect((await events()).map(({ event }) => event).sort()).toEqual(
      ['$create_alias', '$groupidentify', '$identify', 'forgot', 'personless', 'upgraded', 'visited'].sort(),
    );
    const [ada, ...others] = await persons();
    expect([...(ada?.distinct_ids ?? [])].sort()).toEqual(['ada', 'anon']);
    expect(ada?.properties).toMatchObject({ plan: 'pro', first_plan: 'free' });
    expect(ada?.properties).not.toHaveProperty('email');
    expect(others.map(({ distinct_ids }) => distinct_ids)).toEqual([]);
    const acme = { groups: [['acme', { seats: 5 }]], counted: 1, count: 1, listed: ['acme'] };
    expect(await companies('upgraded')).toEqual(acme);
    expect(await companies('visited')).toEqual({ ...acme, counted: 0, count: 0, listed: [] });
  });
});

const sdkFile = createRequire(import.meta.url)
  .resolve('posthog-js')
  .replace(/[^/]+$/, 'array.full.js');

/** Loads the SDK's own bundle, as an application does that has it from npm. */
const bundle = `</script><script src="/sdk.js">`;

/** A shop of another origin than the service. */
const startShop = async (script: string): Promise<{ url: string; server: Server }> => {
  const server = createServer((request, response) => {
    if (request.url === '/sdk.js') {
      response.setHeader('content-type', 'application/javascript');
      createReadStream(sdkFile).pipe(response);
      return;
    }
    response.setHeader('content-type', 'text/html');
    response.end(`<!doctype html><title>Shop</title><h1>Shop</h1><button>Buy</button><script>${script}</script>`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/?utm_source=news`, server };
};

/** What a page writes to its console as an error or warning, and what the service answers to it. */
const watch = (page: Page): { problems: string[]; answers: string[] } => {
  const problems: string[] = [];
  const answers: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  page.on('response', (answer) => {
    if (answer.url().startsWith(service.url)) answers.push(`${answer.status()} ${new URL(answer.url()).pathname}`);
  });
  return { problems, answers };
};

interface BrowserSdk {
  init(token: string, options: object): void;
  capture(event: string, properties?: object): void;
  identify(id: string, set?: object, setOnce?: object): void;
  group(type: string, key: string, properties?: object): void;
  setPersonProperties(set: object, setOnce?: object): void;
  alias(id: string): void;
  get_distinct_id(): string;
  onFeatureFlags(done: () => void): void;
  isFeatureEnabled(key: string): boolean | undefined;
  getFeatureFlagPayload(key: string): unknown;
}

const inBrowser = hasBrowser() ? describe : describe.skip;

inBrowser('posthog-js, unmodified, in a real browser', () => {
  it('captures, identifies, groups and sets from another origin without an error or a retry', async () => {
    const page = await openPage();
    const shop = await startShop(bundle);
    const { problems, answers } = watch(page);
    await page.goto(shop.url);
    const anonymous = await page.evaluate(
      ([token, host]) => {
        const sdk = (globalThis as unknown as { posthog: BrowserSdk }).posthog;
        // A headless browser is a robot to the SDK, which then stays silent.
        sdk.init(token ?? '', {
          api_host: host,
          person_profiles: 'always',
          autocapture: true,
          opt_out_useragent_filter: true,
        });
        const id = sdk.get_distinct_id();
        sdk.capture('browsed', { shelf: 3 });
        sdk.identify('bob', { email: 'bob@example.test' }, { first_seen: 'today' });
        sdk.group('company', 'acme', { seats: 7 });
        sdk.setPersonProperties({ plan: 'team' });
        sdk.capture('bought', { price: 12.5 });
        return id;
      },
      [project.api_token, service.url],
    );
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.waitForTimeout(4000);
    await page.goto('about:blank');
    await page.waitForTimeout(500);
    await closeBrowser(page);
    shop.server.close();

    expect(problems).toEqual([]);
    expect(answers.filter((answer) => !/^20[04] /.test(answer))).toEqual([]);
    expect(answers.filter((answer) => answer.includes('/e')).length).toBeGreaterThan(0);
    const names = (await events()).map(({ event }) => event);
    for (const name of ['$pageview', 'browsed', '$identify', '$groupidentify', '$set', 'bought', '$autocapture'])
      expect(names).toContain(name);
    expect(new Set(names.filter((name) => ['browsed', 'bought', '$identify'].includes(name))).size).toBe(
      names.filter((name) => ['browsed', 'bought', '$identify'].includes(name)).length,
    );
    const acme = { groups: [['acme', { seats: 7 }]], counted: 1, count: 1, listed: ['acme'] };
    expect(await companies('bought')).toEqual(acme);
    expect(await companies('browsed')).toEqual({ ...acme, counted: 0, count: 0, listed: [] });
    const [bob, ...others] = await persons();
    expect(others).toEqual([]);
    expect([...(bob?.distinct_ids ?? [])].sort()).toEqual([anonymous, 'bob'].sort());
    expect(bob).toMatchObject({
      is_identified: true,
      properties: {
        email: 'bob@example.test',
        first_seen: 'today',
        plan: 'team',
        utm_source: 'news',
        $initial_utm_source: 'news',
      },
    });
  });
});

const makeFlag = async (body: object): Promise<void> => {
  const { status } = await service.call('POST', `/api/projects/${project.id}/feature_flags`, { body });
  expect(status).toBe(201);
};

describe('posthog-node, unmodified, and feature flags', () => {
  const pros = {
    groups: [{ properties: [{ type: 'person', key: 'plan', value: 'pro' }] }],
    payloads: { true: '{"a":1}' },
  };

  it('asks for them', async () => {
    await makeFlag({ key: 'pros', filters: pros });
    await makeFlag({ key: 'off' });
    const sdk = new PostHog(project.api_token, { host: service.url });
    const errors: unknown[] = [];
    sdk.on('error', (error: unknown) => errors.push(error));
    const flags = await sdk.evaluateFlags('ada', { personProperties: { plan: 'pro' } });
    expect([flags.isEnabled('pros'), flags.getFlagPayload('pros'), flags.isEnabled('off')]).toEqual([
      true,
      { a: 1 },
      false,
    ]);
    const others = await sdk.evaluateFlags('bob');
    expect(others.isEnabled('pros')).toBe(false);
    await sdk.shutdown();
    expect(errors).toEqual([]);
    const called = (await events()).filter(({ event }) => event === '$feature_flag_called');
    expect(
      called.map(({ properties }) => {
        const { $feature_flag: key, $feature_flag_response: response } = properties as Record<string, unknown>;
        return [key, response];
      }),
    ).toContainEqual([...['pros', true]]);
  });

  it('decides about them itself, with properties, cohorts and groups', async () => {
    const cohort = (body: object) =>
      service.call('POST', `/api/projects/${project.id}/cohorts`, { body: { name: 'c', ...body } });
    const leaf = { type: 'person', key: 'plan', value: 'pro' };
    const made = await cohort({ filters: { properties: { type: 'AND', values: [leaf] } } });
    const listed = await cohort({ is_static: true, distinct_ids: [] });
    const isIn = ({ body }: { body: unknown }, operator = 'in') => ({
      groups: [{ properties: [{ type: 'cohort', key: 'id', value: (body as { id: number }).id, operator }] }],
    });
    await makeFlag({ key: 'pros', filters: pros });
    await makeFlag({ key: 'cohort', filters: isIn(made) });
    await makeFlag({ key: 'outside', filters: isIn(made, 'not_in') });
    await makeFlag({ key: 'static', filters: isIn(listed, 'not_in') });
    const { text } = await service.newKey({ scopes: ['feature_flag:read'] });
    const sdk = new PostHog(project.api_token, { host: service.url, personalApiKey: text });
    expect(await sdk.waitForLocalEvaluationReady()).toBe(true);
    const locally = await sdk.getAllFlags('ada', { onlyEvaluateLocally: true, personProperties: { plan: 'pro' } });
    expect(locally).toEqual({ pros: true, cohort: true, outside: false });
    // It asks the service where it cannot decide.
    const all = await sdk.getAllFlags('ada', { personProperties: { plan: 'free' } });
    expect(all).toMatchObject({ pros: false, static: true });
    await sdk.shutdown();
  });
});

describe('the SDK of OpenFeature with the provider of OFREP, unmodified', () => {
  it('asks for flags of each type', async () => {
    const leaf = { type: 'person', key: 'plan', value: 'pro' };
    await makeFlag({ key: 'pros', filters: { groups: [{ properties: [leaf] }] } });
    const variants = [{ key: 'short', rollout_percentage: 100 }];
    await makeFlag({
      key: 'page',
      filters: { groups: [{ properties: [leaf] }], multivariate: { variants }, payloads: { short: '7' } },
    });
    const headers: [string, string][] = [['Authorization', `Bearer ${project.api_token}`]];
    await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: service.url, headers }));
    const client = OpenFeature.getClient();
    const context = { targetingKey: 'ada', plan: 'pro' };
    expect(await client.getBooleanValue('pros', false, context)).toBe(true);
    expect(await client.getBooleanValue('pros', true, { targetingKey: 'bob' })).toBe(false);
    expect(await client.getStringDetails('page', 'long', context)).toMatchObject({
      ...{ value: 'short', variant: 'short', reason: 'TARGETING_MATCH', flagMetadata: { payload: '7', version: 1 } },
    });
    expect(await client.getStringValue('page', 'long', { targetingKey: 'bob' })).toBe('long');
    expect(await client.getBooleanDetails('none', true, context)).toMatchObject({
      value: true,
      errorCode: 'FLAG_NOT_FOUND',
    });
    expect(await client.getBooleanDetails('pros', true, {})).toMatchObject({
      value: true,
      errorCode: 'TARGETING_KEY_MISSING',
    });
    await OpenFeature.close();
  });
});

inBrowser('posthog-js and feature flags, in a real browser', () => {
  it('asks for them at its start, and says which it was asked for', async () => {
    await makeFlag({ key: 'everyone', filters: { groups: [{ properties: [] }], payloads: { true: '[1]' } } });
    await makeFlag({ key: 'nobody' });
    const page = await openPage();
    const shop = await startShop(bundle);
    const { problems } = watch(page);
    await page.goto(shop.url);
    const seen = await page.evaluate(
      ([token, host]) =>
        new Promise((resolve) => {
          const sdk = (globalThis as unknown as { posthog: BrowserSdk }).posthog;
          sdk.init(token ?? '', { api_host: host, person_profiles: 'always', opt_out_useragent_filter: true });
          sdk.onFeatureFlags(() =>
            resolve([
              sdk.isFeatureEnabled('everyone'),
              sdk.isFeatureEnabled('nobody'),
              sdk.getFeatureFlagPayload('everyone'),
            ]),
          );
        }),
      [project.api_token, service.url],
    );
    expect(seen).toEqual([true, false, [1]]);
    await page.waitForTimeout(4000);
    await page.goto('about:blank');
    await page.waitForTimeout(500);
    await closeBrowser(page);
    shop.server.close();
    expect(problems).toEqual([]);
    const called = (await events()).filter(({ event }) => event === '$feature_flag_called');
    expect(called.map(({ properties }) => (properties as Record<string, unknown>).$feature_flag).sort()).toEqual([
      'everyone',
      'nobody',
    ]);
  });
});

inBrowser('posthog-js in cookieless mode, in a real browser', () => {
  it('sends visitors who are distinguished, and never become part of a user', async () => {
    await service.call('PATCH', `/api/projects/${project.id}`, { body: { cookieless_visitors: true } });
    for (const user of ['zoe', 'yan']) {
      const page = await openPage();
      const shop = await startShop(bundle);
      const { problems } = watch(page);
      await page.goto(shop.url);
      await page.evaluate(
        ([token, host, id]) => {
          const sdk = (globalThis as unknown as { posthog: BrowserSdk }).posthog;
          sdk.init(token ?? '', { api_host: host, cookieless_mode: 'always', opt_out_useragent_filter: true });
          sdk.capture('browsed');
          sdk.identify(id ?? '', { email: `${id}@example.test` });
        },
        [project.api_token, service.url, user],
      );
      await page.waitForTimeout(4000);
      await page.goto('about:blank');
      await page.waitForTimeout(500);
      await closeBrowser(page);
      shop.server.close();
      expect(problems).toEqual([]);
    }
    const stored = await events();
    const visits = stored.filter(({ event }) => event === 'browsed');
    // Both pages have the same address and browser, but another port, which is part of the host.
    expect(visits.map(({ person_id: person }) => person)).toEqual([null, null]);
    for (const { distinct_id: id } of visits) expect(id).toMatch(/^\$cookieless_/);
    expect(stored.filter(({ properties }) => '$raw_user_agent' in properties && '$ip' in properties)).toEqual([]);
    for (const ids of (await persons()).map(({ distinct_ids }) => distinct_ids))
      expect(ids.filter((id) => id.includes('cookieless'))).toEqual([]);
    expect((await persons()).map(({ distinct_ids: [id] }) => id).sort()).toEqual(['yan', 'zoe']);
  });
});

/**
 * The form in which the documentation of the reference product embeds its SDK: the methods queue their calls until the
 * script, which comes from the address of the service, has replaced them.
 */
const snippet = (token: string, options: object): string => `
  (function (doc, posthog) {
    if (posthog.__SV) return;
    window.posthog = posthog;
    posthog._i = [];
    posthog.init = function (token, config, name) {
      var queued = function (target, method) {
        target[method] = function () { target.push([method].concat(Array.prototype.slice.call(arguments, 0))); };
      };
      var script = doc.createElement('script');
      script.type = 'text/javascript';
      script.crossOrigin = 'anonymous';
      script.async = true;
      script.src = config.api_host + '/static/array.js';
      var first = doc.getElementsByTagName('script')[0];
      first.parentNode.insertBefore(script, first);
      var instance = name === undefined ? posthog : (posthog[name] = []);
      instance.people = instance.people || [];
      'capture identify alias group register setPersonProperties reset get_distinct_id opt_in_capturing getSurveys getEarlyAccessFeatures'
        .split(' ').forEach(function (method) { queued(instance, method); });
      posthog._i.push([token, config, name === undefined ? 'posthog' : name]);
    };
    posthog.__SV = 1;
  })(document, window.posthog || []);
  posthog.init(${JSON.stringify(token)}, ${JSON.stringify(options)});
  posthog.identify('eve', { email: 'eve@example.test' });
  posthog.capture('browsed', { shelf: 3 });
  posthog.getEarlyAccessFeatures(function () {}, true);
  posthog.getSurveys(function () {}, true);
`;

inBrowser('the HTML snippet of posthog-js, in a real browser', () => {
  it('loads the SDK from the service and sends autocapture, pageviews and what was queued, with an empty console', async () => {
    const page = await openPage();
    const options = {
      api_host: service.url,
      person_profiles: 'always',
      opt_out_useragent_filter: true,
      capture_exceptions: true,
      capture_performance: { web_vitals: true },
    };
    const shop = await startShop(snippet(project.api_token, options));
    const { problems, answers } = watch(page);
    await page.goto(shop.url);
    await page.waitForFunction(() => '__loaded' in (globalThis as unknown as { posthog: object }).posthog);
    await page.getByRole('button', { name: 'Buy' }).click();
    await page.waitForTimeout(4000);
    await page.goto('about:blank');
    await page.waitForTimeout(500);
    await closeBrowser(page);
    shop.server.close();

    expect(problems).toEqual([]);
    expect(answers.filter((answer) => !/^20[04] /.test(answer))).toEqual([]);
    expect(answers).toEqual(
      expect.arrayContaining(['200 /static/array.js', '200 /api/early_access_features/', '200 /api/surveys/']),
    );
    // The script loads more of itself when it needs it.
    expect(answers.filter((answer) => answer.startsWith('200 /static/')).length).toBeGreaterThan(1);
    const names = (await events()).map(({ event }) => event);
    for (const name of ['$pageview', '$autocapture', '$identify', 'browsed']) expect(names).toContain(name);
    const [eve, ...others] = await persons();
    expect(others).toEqual([]);
    expect(eve?.distinct_ids).toContain('eve');
    expect(eve).toMatchObject({ is_identified: true, properties: { email: 'eve@example.test', utm_source: 'news' } });
  });
});
