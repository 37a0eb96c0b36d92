import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { type ActionDto } from '../../src/actions/action.dto.js';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type DashboardDto } from '../../src/saved/dashboards/dashboard.dto.js';
import { type SavedInsightDto } from '../../src/saved/insights/insight.dto.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { makeTenant, pathTo, type Tenant } from '../support/tenant.js';

type Sent = Readonly<Record<string, unknown>>;

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, unknown>>;
}

let service: ServiceHandle;
let document: OpenAPIObject;
let of: CohortsOf;
let tenant: Tenant;

beforeAll(async () => {
  service = await sharedService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
  of = new CohortsOf(service, service.project.id);
  tenant = { ...(await makeTenant(service, 'sent-back')), keyId: (await service.newKey()).id };
});
afterAll(() => service.stop());

const cohortUrl = async (body: object): Promise<string> =>
  `/api/projects/${of.projectId}/cohorts/${(await of.create(body)).id}`;

const insightUrl = async (): Promise<string> => {
  const params = { events: '[{"id":"paid","math":"dau"}]', properties: [{ key: 'plan', value: 'pro' }] };
  const body = { name: 'Payers', favourite: true, question: { type: 'trends', params } };
  const { id } = (await of.call('POST', 'insights', { body })).body as SavedInsightDto;
  return `/api/projects/${of.projectId}/insights/${id}`;
};

/** Records of further forms than the one that `makeTenant` makes. */
const otherForms: Readonly<Record<string, () => Promise<readonly string[]>>> = {
  '/api/projects/{project_id}': async () => {
    const { id } = await service.newProject('Sent back');
    const body = {
      test_account_filters: [{ key: 'email', type: 'person', operator: 'regex', value: '@example\\.test$' }],
      path_cleaning_filters: [{ regex: '/u/\\d+', alias: '/u/:id' }],
    };
    await service.call('PATCH', `/api/projects/${id}`, { body });
    return [`/api/projects/${id}`];
  },
  '/api/personal_api_keys/{id}': async () => {
    const bodies = [
      { label: 'sent back', scopes: ['person:read'] },
      { label: 'limited', scopes: ['person:read'], scoped_projects: [of.projectId], expires_at: '2999-01-01' },
    ];
    const made = await Promise.all(bodies.map((body) => service.call('POST', '/api/personal_api_keys', { body })));
    return made.map((answer) => `/api/personal_api_keys/${(answer.body as KeyDto).id}`);
  },
  '/api/projects/{project_id}/actions/{id}': async () => {
    const body = {
      name: 'Paid',
      steps: [{ event: 'pay', url: '/done', properties: [{ key: 'plan', value: 'pro' }] }, {}],
    };
    const { id } = (await service.call('POST', `/api/projects/${of.projectId}/actions`, { body })).body as ActionDto;
    return [`/api/projects/${of.projectId}/actions/${id}`];
  },
  '/api/projects/{project_id}/insights/{id}': async () => [await insightUrl()],
  '/api/projects/{project_id}/dashboards/{id}': async () => {
    const insight = Number((await insightUrl()).split('/').at(-1));
    const body = {
      name: 'Growth',
      date_from: '-30d',
      favourite: true,
      tiles: [{ insight_id: insight, position: 9, width: 12 }, { insight_id: insight }],
    };
    const { id } = (await of.call('POST', 'dashboards', { body })).body as DashboardDto;
    return [`/api/projects/${of.projectId}/dashboards/${id}`];
  },
  '/api/projects/{project_id}/webhooks/{id}': async () => {
    const { id: cohort } = await of.create({ name: 'Sent', is_static: true, distinct_ids: [] });
    const amplitude = { app_id: 153957, owner: 'ada@example.test' };
    const bodies = [
      {},
      { cohorts: [cohort], kinds: ['left'], batch_size: 7, paused: true },
      { format: 'mixpanel', identifier: { property: 'crm' }, properties: ['plan'], paused: true },
      { format: 'amplitude', amplitude, credentials: { user: 'key', password: 'secret' }, paused: true },
    ];
    const made = await Promise.all(
      bodies.map((body) =>
        of.call('POST', 'webhooks', { body: { url: 'https://receiver.invalid/hook?a=b', ...body } }),
      ),
    );
    return made.map((answer) => `/api/projects/${of.projectId}/webhooks/${(answer.body as { id: number }).id}`);
  },
  '/api/projects/{project_id}/cohorts/{id}': async () => [
    await cohortUrl({ name: 'Dynamic', filters: all(where('plan', 'pro')) }),
    await cohortUrl({ name: 'Oldest form', groups: [{ properties: { plan: 'pro' } }] }),
    await cohortUrl({ name: 'Static', is_static: true, distinct_ids: [] }),
  ],
};

interface Patch {
  readonly path: string;
  readonly body: Schema;
  /** The fields that a caller may set. */
  readonly writable: readonly string[];
  /** The fields that the service itself changes, as the body says. */
  readonly moving: readonly string[];
  /** The addresses of records of every kind that the route changes. */
  readonly urls: () => Promise<readonly string[]>;
}

/** The routes that take a whole record with a key. A session's own user is sent back in test/e2e/accounts.spec.ts. */
const patches = (): readonly Patch[] =>
  Object.entries(document.paths).flatMap(([path, item]) => {
    const operation = item.patch ?? item.put;
    if (!operation?.security?.some((scheme) => 'personalApiKey' in scheme)) return [];
    const content = (operation.requestBody as { content?: Record<string, { schema?: Schema }> }).content;
    const named = content?.['application/json']?.schema ?? {};
    const body = (document.components?.schemas?.[named.$ref?.split('/').at(-1) ?? ''] ?? named) as Schema;
    const { description = '' } = body;
    if (!description.startsWith('The record may be sent back')) return [];
    const [, fields = ''] = /The service itself changes (.*): any value/.exec(description) ?? [];
    return [
      {
        path,
        body,
        writable: Object.keys(body.properties ?? {}),
        moving: fields.split(', ').map((name) => name.replaceAll('`', '')),
        urls: async () => [pathTo(path, tenant), ...((await otherForms[path]?.()) ?? [])],
      },
    ];
  });

const get = async (url: string): Promise<Sent> => (await service.call('GET', url)).body as Sent;
const patch = (url: string, body: object) => service.call('PATCH', url, { body });

const without = (record: Sent, names: readonly string[]): Sent =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !names.includes(name)));

const entries = async (): Promise<unknown> =>
  (
    await service.pool.query(
      'SELECT (SELECT count(*) FROM activity_log) AS in_projects, (SELECT count(*) FROM account_activity) AS in_accounts',
    )
  ).rows[0];

const otherThan = (value: unknown): unknown => {
  if (typeof value === 'string') return `${value}x`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (Array.isArray(value)) return [...(value as unknown[]), 'x'];
  return value === null ? 'x' : { ...(value as object), x: 1 };
};

describe('a record that is sent back', () => {
  it('as it was read changes nothing and is not logged, on every route', async () => {
    const routes = patches();
    const records = Object.entries(document.paths).filter(([path, { patch }]) => patch && path.endsWith('}'));
    expect(records.length).toBeGreaterThanOrEqual(10);
    expect(routes.map(({ path }) => path)).toEqual(records.map(([path]) => path));
    for (const { urls, moving } of routes) {
      for (const url of await urls()) {
        const [record, logged] = [await get(url), await entries()];
        const answer = await patch(url, record);
        expect([url, answer.status, answer.text.slice(0, 300)]).toEqual([url, 200, expect.anything()]);
        expect(without(await get(url), moving)).toEqual(without(record, moving));
        expect([url, await entries()]).toEqual([url, logged]);
      }
    }
  });

  it('with another value of any one of its read-only fields is refused', async () => {
    let refused = 0;
    for (const { body, writable, moving, urls } of patches()) {
      for (const url of await urls()) {
        const record = await get(url);
        for (const [name, value] of Object.entries(record)) {
          if (writable.includes(name)) continue;
          const answer = await patch(url, { ...record, [name]: otherThan(value) });
          if (moving.includes(name)) {
            expect([url, name, answer.status]).toEqual([url, name, 200]);
          } else {
            expect([url, name, answer.status, answer.body]).toEqual([
              url,
              name,
              400,
              expect.objectContaining({ attr: name, detail: expect.stringContaining(`${name} is read-only`) }),
            ]);
            refused += 1;
          }
          expect(body.description).toContain(`\`${name}\``);
        }
        expect(without(await get(url), moving)).toEqual(without(record, moving));
      }
    }
    expect(refused).toBeGreaterThan(20);
  });

  it('may be the form of a list, in which a person has fewer distinct ids', async () => {
    const ids = Array.from({ length: 150 }, (_, n) => `many-${n}`);
    const { id } = await of.make(ids);
    const { results } = await get(`/api/projects/${of.projectId}/persons?distinct_id=many-0`);
    const [listed] = results as PersonDto[];
    expect([listed?.id, listed?.distinct_ids.length]).toEqual([id, 100]);
    expect((await patch(`/api/projects/${of.projectId}/persons/${id}`, listed ?? {})).status).toBe(200);
  });

  it('may be the answer to the creation of a key, with the text of this key only', async () => {
    const body = { label: 'text', scopes: ['person:read'] };
    const [made, other] = [
      (await service.call('POST', '/api/personal_api_keys', { body })).body as KeyDto,
      (await service.call('POST', '/api/personal_api_keys', { body })).body as KeyDto,
    ];
    const url = `/api/personal_api_keys/${made.id}`;
    expect((await patch(url, made)).status).toBe(200);
    expect((await patch(url, { ...made, value: other.value })).body).toMatchObject({ status: 400, attr: 'value' });
  });

  it('may be a key that has expired', async () => {
    const expired = await service.newKey({ expiresAt: new Date(Date.now() - 60_000) });
    const url = `/api/personal_api_keys/${expired.id}`;
    expect((await patch(url, await get(url))).status).toBe(200);
  });

  it('with changed groups beside unchanged filters is a new definition in the oldest form', async () => {
    const url = await cohortUrl({ groups: [{ properties: { plan: 'pro' } }] });
    const groups = [{ properties: { plan: 'free' } }];
    const answer = await patch(url, { ...(await get(url)), groups });
    const leaf = { type: 'person', key: 'plan', value: 'free' };
    expect(answer.body).toMatchObject({
      groups,
      filters: { properties: { type: 'OR', values: [{ type: 'AND', values: [leaf] }] } },
    });
  });
});
