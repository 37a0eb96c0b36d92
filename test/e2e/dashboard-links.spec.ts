import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DashboardAnswersDto, type DashboardDto } from '../../src/saved/dashboards/dashboard.dto.js';
import {
  type DashboardLinksDto,
  type NewDashboardLinkDto,
  type SharedDashboardDto,
} from '../../src/saved/links/link.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { makeUser, openSession } from '../support/signed-in.js';

let service: ServiceHandle;
let of: PersonsOf;
let board: DashboardDto;

const secretMail = 'ada@secret.example';
const day = { date_from: '2024-03-05', date_to: '2024-03-06' };

const save = async (type: string, params: object): Promise<number> => {
  const answer = await of.call('POST', 'insights', { body: { name: type, question: { type, params } } });
  if (answer.status !== 201) throw new Error(answer.text);
  return (answer.body as { id: number }).id;
};

beforeAll(async () => {
  service = await sharedService();
  of = new PersonsOf(service, service.project.id);
  const event = (name: string, distinctId: string, day_: string) =>
    JSON.stringify({ type: 'event', event: name, distinct_id: distinctId, timestamp: `2024-03-0${day_}T10:00:00Z` });
  const lines = [
    JSON.stringify({ type: 'person', distinct_ids: ['ada'], properties: { email: secretMail, plan: 'pro' } }),
    JSON.stringify({ type: 'person', distinct_ids: ['bob'], properties: { plan: 'free' } }),
    ...[event('paid', 'ada', '5'), event('paid', 'bob', '5'), event('paid', 'ada', '6'), event('seen', 'ada', '5')],
  ];
  const headers = { 'content-type': 'application/x-ndjson' };
  expect((await of.call('POST', 'import', { body: lines.join('\n'), headers })).status).toBe(200);
  const own = [{ key: 'email', type: 'person', operator: 'is_not', value: 'nobody@secret.example' }];
  const events = [{ id: 'paid', properties: own }];
  const ids = [
    await save('trends', {
      events,
      properties: JSON.stringify(own),
      breakdown: 'plan',
      breakdown_type: 'person',
      ...day,
    }),
    await save('funnel', { events: [{ id: 'seen' }, { id: 'paid' }], date_from: '-30d' }),
    await save('sql', { query: 'select person.properties.email from events' }),
    await save('trends', { events: [{ id: 'paid' }], properties: [{ key: 'no_such_thing', value: 1 }] }),
  ];
  const made = await of.call('POST', 'dashboards', {
    body: {
      name: 'Board',
      filters: { ...day, properties: [{ key: 'email', type: 'person', operator: 'is_set' }] },
      tiles: [{ text: { body: '# Hello' } }, ...ids.map((insight_id) => ({ insight_id }))],
    },
  });
  board = made.body as DashboardDto;
});
afterAll(() => service.stop());

const path = () => `dashboards/${board.id}/links`;

const share = async (
  options: Parameters<PersonsOf['call']>[2] = {},
): Promise<NewDashboardLinkDto & { token: string }> => {
  const answer = await of.call('POST', path(), { body: {}, ...options });
  if (answer.status !== 201) throw new Error(answer.text);
  const made = answer.body as NewDashboardLinkDto;
  return { ...made, token: new URL(made.link ?? '').hash.slice(1) };
};

const open = (token: string, at = '', headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
  service.call('POST', `/api/shared_dashboard${at}`, { key: null, body: { token }, headers });
const opens = async (token: string, headers?: Readonly<Record<string, string>>): Promise<number[]> => [
  (await open(token, '', headers)).status,
  (await open(token, '/answers', headers)).status,
];
const gone = [401, 401];

describe('a link of a dashboard', () => {
  it('shows it without an account: the numbers with its saved filters, and nothing of the persons', async () => {
    const { token } = await share();
    const shown = await open(token);
    expect(shown.body as SharedDashboardDto).toMatchObject({
      ...{ name: 'Board', timezone: 'UTC' },
      tiles: [
        { name: '', text: { body: '# Hello' }, position: 0, layouts: { sm: { x: 0, y: 0 } } },
        ...['trends', 'funnel', 'sql', 'trends'].map((name) => ({ name, text: null })),
      ],
    });
    const answered = await open(token, '/answers');
    const [trends, funnel, sql, unknown] = (answered.body as DashboardAnswersDto).results;
    const own = (await of.call('GET', `dashboards/${board.id}/answers`)).body as DashboardAnswersDto;
    const insightOf = (tile: object | undefined) => (tile as { answer: { insight: object } }).answer.insight;
    // Only Ada has an e-mail.
    expect(insightOf(trends)).toMatchObject({ series: [{ breakdown_value: 'pro', data: [1, 1] }] });
    expect(insightOf(trends)).toEqual(insightOf(own.results[0]));
    expect(insightOf(funnel)).toEqual(insightOf(own.results[1]));
    expect(sql).toMatchObject({ problem: { status: 403, detail: 'A link shows no tables' } });
    expect(own.results[3]?.answer).toHaveProperty('warnings');
    expect(Object.keys((unknown as { answer: object }).answer)).toEqual(['insight']);
    expect(trends?.question).toMatchObject({ type: 'trends', params: { events: [{ id: 'paid' }], breakdown: 'plan' } });
    for (const { text, headers } of [shown, answered]) {
      for (const word of ['secret.example', 'email', 'properties', 'no_such_thing', 'created_by', 'distinct'])
        expect([word, text.includes(word)]).toEqual([word, false]);
      expect(headers).toMatchObject({
        ...{ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex, nofollow' },
      });
      expect(headers).not.toHaveProperty('set-cookie');
    }
  });

  it('opens nothing else', async () => {
    const { token } = await share();
    for (const route of ['', '/answers', '/links'])
      expect((await of.call('GET', `dashboards/${board.id}${route}`, { key: token })).status).toBe(401);
    for (const route of ['persons', 'persons/trends', 'insights', 'query/schema'])
      expect((await of.call('GET', route, { key: token })).status).toBe(401);
    const more = await service.call('POST', '/api/shared_dashboard/answers', {
      ...{ key: null, body: { token, refresh: true, date_from: 'all' } },
    });
    expect(more.status).toBe(400);
    const [project, secret = ''] = token.split('.');
    const other = await service.newProject();
    for (const wrong of [secret, `${other.id}.${secret}`, `${project}.${secret.slice(1)}A`, `${token}.`, 'x'])
      expect([wrong, await opens(wrong)]).toEqual([wrong, gone]);
  });

  it('is kept as a digest, listed without its address, logged, and ends when it is revoked', async () => {
    const { id, token, link, ...made } = await share();
    expect(link).toMatch(new RegExp(`^http://[^/]+/shared#${service.project.id}\\.[\\w-]{43}$`));
    const { rows } = await service.pool.query('SELECT dashboard_links::text AS row FROM dashboard_links');
    expect(JSON.stringify(rows)).not.toContain(token.split('.')[1]);
    const listed = (await of.call('GET', path())).body as { results: { id: string }[] };
    expect(listed.results[0]).toEqual({ id, ...made, works: true });
    expect(JSON.stringify(listed)).not.toContain('shared#');
    expect(await opens(token)).toEqual([200, 200]);
    expect((await of.call('DELETE', `${path()}/${id}`)).status).toBe(204);
    expect(await opens(token)).toEqual(gone);
    expect((await of.call('DELETE', `${path()}/${id}`)).status).toBe(404);
    const entries = await of.activity('activity', { scope: 'Dashboard', limit: 2 });
    expect(entries.map(({ activity, item_id, detail }) => [activity, item_id, detail.changes])).toEqual([
      [
        'link revoked',
        String(board.id),
        [{ type: 'Dashboard', action: 'deleted', field: 'link', before: { id }, after: null }],
      ],
      [
        'shared',
        String(board.id),
        [
          {
            ...{ type: 'Dashboard', action: 'created', field: 'link', before: null },
            after: { id, label: '', expires_at: made.expires_at },
          },
        ],
      ],
    ]);
  });

  it('ends on its day, and with its dashboard', async () => {
    const now = { 'X-Test-Now': '2024-03-10T12:00:00Z' };
    const { token, expires_at: end } = await share({ body: { expires_in_days: 2 }, headers: now });
    expect(end).toBe('2024-03-12T12:00:00.000Z');
    expect(await opens(token, { 'X-Test-Now': '2024-03-12T11:59:59Z' })).toEqual([200, 200]);
    expect(await opens(token, { 'X-Test-Now': '2024-03-12T12:00:00Z' })).toEqual(gone);
    for (const days of [0, 366, 1.5])
      expect((await of.call('POST', path(), { body: { expires_in_days: days } })).status).toBe(400);
    const other = (await of.call('POST', 'dashboards', { body: { name: 'Other' } })).body as { id: number };
    const answer = await of.call('POST', `dashboards/${other.id}/links`, { body: {} });
    const { link } = answer.body as NewDashboardLinkDto;
    const ofOther = new URL(link ?? '').hash.slice(1);
    expect(await opens(ofOther)).toEqual([200, 200]);
    await of.call('DELETE', `dashboards/${other.id}`);
    expect(await opens(ofOther)).toEqual(gone);
  });

  it('says whom it is for to those who may list links, and to nobody who has it', async () => {
    const { id, token } = await share({ body: { label: '  Board meeting ' } });
    const { results } = (await of.call('GET', path())).body as DashboardLinksDto;
    expect(results.find((one) => one.id === id)).toMatchObject({ label: 'Board meeting' });
    expect((await open(token)).text).not.toContain('meeting');
    expect((await of.call('POST', path(), { body: { label: 'x'.repeat(201) } })).status).toBe(400);
  });

  it('shows nothing while the project forbids links, and none can be made then', async () => {
    const { id, token } = await share();
    const unknown = await open(`${service.project.id}.${'x'.repeat(43)}`);
    const forbid = (dashboard_links_forbidden: boolean) =>
      of.call('PATCH', '', { body: { dashboard_links_forbidden } });
    expect((await forbid(true)).body).toMatchObject({ dashboard_links_forbidden: true });
    const refused = await open(token);
    const known = ({ status, body }: Answer): object => ({ status, ...(body as object), request_id: null });
    expect(known(refused)).toEqual(known(unknown));
    expect(await opens(token)).toEqual(gone);
    expect(await of.call('POST', path(), { body: {} })).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining('This project forbids links') },
    });
    const { results } = (await of.call('GET', path())).body as DashboardLinksDto;
    expect(results.filter(({ works }) => works)).toEqual([]);
    await forbid(false);
    expect(await opens(token)).toEqual([200, 200]);
    expect((await of.call('DELETE', `${path()}/${id}`)).status).toBe(204);
  });

  it('ends with the access of its maker', async () => {
    const { id: projectId } = service.project;
    const user = await makeUser(service, { roles: { [projectId]: 'member' } });
    const browser = await openSession(service, user);
    const answer = await browser.call('POST', `/api/projects/${projectId}/${path()}`, { body: {} });
    const { id, link } = answer.body as NewDashboardLinkDto;
    const token = new URL(link ?? '').hash.slice(1);
    expect(await opens(token)).toEqual([200, 200]);
    const works = async () =>
      ((await of.call('GET', path())).body as { results: { id: string; works: boolean }[] }).results.find(
        (one) => one.id === id,
      )?.works;
    expect(await works()).toBe(true);
    await of.call('PATCH', `members/${user.id}`, { body: { role: 'viewer' } });
    expect([await opens(token), await works()]).toEqual([gone, false]);
    await of.call('PATCH', `members/${user.id}`, { body: { role: 'member' } });
    expect(await opens(token)).toEqual([200, 200]);
    await of.call('DELETE', `members/${user.id}`);
    expect(await opens(token)).toEqual(gone);
    const viewer = await openSession(service, await makeUser(service, { roles: { [projectId]: 'viewer' } }));
    expect((await viewer.call('POST', `/api/projects/${projectId}/${path()}`, { body: {} })).status).toBe(403);
  });

  it('ends with the key that made it, and gives no more than the key has', async () => {
    const key = await service.newKey({ scopes: ['dashboard:write', 'person:read'] });
    const { token } = await share({ key: key.text });
    expect(await opens(token)).toEqual([200, 200]);
    expect((await service.call('DELETE', `/api/personal_api_keys/${key.id}`)).status).toBe(204);
    expect(await opens(token)).toEqual(gone);
    const weak = await service.newKey({ scopes: ['dashboard:write'] });
    expect((await of.call('POST', path(), { body: {}, key: weak.text })).status).toBe(403);
    const short = await service.newKey({ expiresAt: new Date(Date.now() + 3_600_000) });
    expect((await of.call('POST', path(), { body: {}, key: short.text })).status).toBe(403);
  });

  it('is made once for each idempotency key, and at most twenty times for a dashboard', async () => {
    const { id } = (await of.call('POST', 'dashboards', { body: { name: 'Many' } })).body as { id: number };
    const make = (headers = {}) => of.call('POST', `dashboards/${id}/links`, { body: {}, headers });
    const first = (await make({ 'Idempotency-Key': 'once' })).body as NewDashboardLinkDto;
    expect((await make({ 'Idempotency-Key': 'once' })).body).toEqual({ ...first, link: null });
    for (let at = 1; at < 20; at++) expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(409);
  });
});
