import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { type EventDto } from '../../src/events/log/event.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: ProjectDto;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
});

const basic = (user: string) => ({ authorization: `Basic ${Buffer.from(`${user}:`).toString('base64')}` });

const send = async (path: string, body: object | Buffer | string, headers: Record<string, string> = {}) => {
  const bytes = typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
  const answer = await fetch(service.url + path, { method: 'POST', body: bytes, headers });
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown>, headers: answer.headers };
};

const events = async (): Promise<EventDto[]> => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/events`, { query: { limit: 1000 } });
  return [...(body as { results: EventDto[] }).results].reverse();
};

const persons = async (): Promise<{ distinct_ids: string[]; properties: Record<string, unknown> }[]> => {
  const { body } = await service.call('GET', `/api/projects/${project.id}/persons`);
  return (body as { results: { distinct_ids: string[]; properties: Record<string, unknown> }[] }).results;
};

const track = (more: object = {}) => ({ type: 'track', userId: 'ada', event: 'seen', ...more });
const one = { success: true, status: 1, accepted: 1, duplicates: 0, rejected: [] };

describe('the project token', () => {
  it.each([
    ['as the user name of Basic authentication', {}, () => basic(project.api_token)],
    ['as writeKey of the body', { writeKey: true }, () => ({})],
    ['in both places', { writeKey: true }, () => basic(project.api_token)],
  ])('is taken %s', async (_name, { writeKey }: { writeKey?: boolean }, headers) => {
    const body = { ...(writeKey ? { writeKey: project.api_token } : {}), ...track() };
    expect(await send('/v1/track', body, headers())).toMatchObject({ status: 200, body: one });
    const batch = { ...(writeKey ? { writeKey: project.api_token } : {}), batch: [track()] };
    expect(await send('/v1/batch', batch, headers())).toMatchObject({ status: 200, body: one });
  });

  it('is taken as writeKey of a message, and may not change within a batch', async () => {
    const own = { writeKey: project.api_token };
    expect(await send('/v1/batch', { batch: [track(own), track(own)] })).toMatchObject({ status: 200 });
    const other = { writeKey: (await service.newProject()).api_token };
    expect(await send('/v1/batch', { batch: [track(own), track(other)] })).toMatchObject({
      status: 401,
      body: { code: 'authentication_failed', attr: 'writeKey' },
    });
    expect(await events()).toHaveLength(2);
  });

  it.each([
    ['none', {}, () => ({}), 'not_authenticated', 'Basic authentication'],
    ['an unknown one', {}, () => basic('phc_unknown'), 'authentication_failed', 'unknown'],
    ['one that is no token', {}, () => basic('segment'), 'authentication_failed', 'unknown'],
    ['an unknown writeKey', { writeKey: 'phc_unknown' }, () => ({}), 'authentication_failed', 'unknown'],
    ['a personal API key', {}, () => basic(service.key), 'authentication_failed', 'personal API key'],
    [
      'another one in the body',
      { writeKey: 'phc_other' },
      () => basic(project.api_token),
      'authentication_failed',
      'inconsistent',
    ],
  ])('is refused with 401: %s', async (_name, more, headers, code, detail) => {
    for (const path of ['/v1/track', '/v1/batch']) {
      const body = path === '/v1/batch' ? { ...more, batch: [track()] } : { ...more, ...track() };
      expect(await send(path, body, headers())).toMatchObject({
        status: 401,
        body: { code, attr: 'writeKey', detail: expect.stringContaining(detail) },
      });
    }
    expect(await events()).toEqual([]);
  });

  it('in the properties is data of the sender', async () => {
    const body = track({ properties: { token: 'reset-1', api_key: 'k' } });
    expect(await send('/v1/track', body, basic(project.api_token))).toMatchObject({ status: 200 });
    expect((await events())[0]?.properties).toMatchObject({ token: 'reset-1', api_key: 'k' });
  });
});

describe('messages', () => {
  it('become events and persons: an anonymous visit, an identify, a page, a screen, a group and an alias', async () => {
    const batch = [
      { type: 'track', messageId: 'm-1', anonymousId: 'anon', event: 'visited', context: { library: { name: 'js' } } },
      { type: 'identify', messageId: 'm-2', userId: 'ada', anonymousId: 'anon', traits: { email: 'ada@example.test' } },
      { type: 'page', messageId: 'm-3', userId: 'ada', properties: { url: 'https://shop.test/a' } },
      { type: 'screen', messageId: 'm-4', userId: 'ada', name: 'Start' },
      { type: 'group', messageId: 'm-5', anonymousId: 'group-only', groupId: 'acme', traits: { seats: 5 } },
      { type: 'alias', messageId: 'm-6', userId: 'ada', previousId: 'ada-2' },
    ];
    const body = { batch, sentAt: new Date().toISOString() };
    expect((await send('/v1/batch', body, basic(project.api_token))).body).toMatchObject({ accepted: 6, rejected: [] });
    expect((await events()).map(({ event }) => event).sort()).toEqual(
      ['$create_alias', '$groupidentify', '$identify', '$pageview', '$screen', 'visited'].sort(),
    );
    const [ada, ...others] = await persons();
    expect([[...(ada?.distinct_ids ?? [])].sort(), ada?.properties.email, others]).toEqual([
      ['ada', 'ada-2', 'anon'],
      'ada@example.test',
      [],
    ]);
    const again = await send('/v1/batch', body, basic(project.api_token));
    expect(again).toMatchObject({ status: 200, body: { accepted: 0, duplicates: 6, rejected: [] } });
    expect(await events()).toHaveLength(6);
  });

  it.each(['identify', 'track', 'page', 'screen', 'group', 'alias', 'i', 't', 'p', 's', 'g', 'a'])(
    'of one type have the path /v1/%s',
    async (type) => {
      const message = { writeKey: project.api_token, userId: 'ada', event: 'seen', groupId: 'acme', previousId: 'old' };
      expect(await send(`/v1/${type}`, message)).toMatchObject({ status: 200, body: one });
    },
  );

  it('come as gzip, as ?data= and as the text that a browser sends when it closes a page', async () => {
    const text = JSON.stringify({ writeKey: project.api_token, ...track() });
    expect(await send('/v1/t', gzipSync(text), { 'content-encoding': 'gzip' })).toMatchObject({ status: 200 });
    expect(await send('/v1/t', text, { 'content-type': 'text/plain' })).toMatchObject({ status: 200 });
    const data = Buffer.from(text).toString('base64');
    const answer = await service.call('GET', '/v1/track', { key: null, query: { data } });
    expect([answer.status, answer.body]).toEqual([200, one]);
    expect(await events()).toHaveLength(3);
  });

  it('are corrected by the clock of the sender, which sends the time of sending with the batch', async () => {
    const hour = 3_600_000;
    const [timestamp, sentAt] = [new Date(Date.now() - 3 * hour), new Date(Date.now() - 2 * hour)];
    const batch = [track({ timestamp: timestamp.toISOString() })];
    await send('/v1/batch', { batch, sentAt: sentAt.toISOString() }, basic(project.api_token));
    const stored = Date.parse((await events())[0]?.timestamp ?? '');
    expect(Math.abs(stored - (Date.now() - hour))).toBeLessThan(60_000);
  });

  it('are refused one by one, each with its index; all refused is 400', async () => {
    const batch = [track(), { type: 'track', event: 'seen' }, { type: 'nothing', userId: 'ada' }];
    expect(await send('/v1/batch', { batch }, basic(project.api_token))).toMatchObject({
      status: 200,
      body: {
        accepted: 1,
        rejected: [
          { index: 1, code: 'required' },
          { index: 2, code: 'invalid_input' },
        ],
      },
    });
    expect(await send('/v1/batch', { batch: batch.slice(1) }, basic(project.api_token))).toMatchObject({
      status: 400,
      body: { attr: 'batch.0', rejected: [{ index: 0 }, { index: 1 }] },
    });
  });

  it('keep to the limits of capture', async () => {
    const headers = basic(project.api_token);
    const many = { batch: Array.from({ length: 10_001 }, () => track()) };
    expect(await send('/v1/batch', many, headers)).toMatchObject({ status: 413 });
    const large = { batch: [track({ properties: { text: 'x'.repeat(1_100_000) } })] };
    expect(await send('/v1/batch', large, headers)).toMatchObject({ status: 413 });
    const values = { batch: [track(), track({ properties: { list: Array.from({ length: 10_001 }, () => 1) } })] };
    expect(await send('/v1/batch', values, headers)).toMatchObject({
      status: 200,
      body: { accepted: 1, rejected: [{ index: 1, code: 'too_large' }] },
    });
    let deep: unknown = 1;
    for (let level = 0; level < 120; level += 1) deep = { deep };
    expect(await send('/v1/batch', { batch: [track(), track({ traits: deep })] }, headers)).toMatchObject({
      status: 200,
      body: { accepted: 1, rejected: [{ index: 1, code: 'invalid_input' }] },
    });
    expect(await send('/v1/batch', { messages: [track()] }, headers)).toMatchObject({
      status: 400,
      body: { attr: 'batch', detail: 'batch is missing; "messages" is not known here' },
    });
  });
});

describe('a path', () => {
  it('of no message is 404, with another method 405', async () => {
    expect(await send('/v1/unknown', track(), basic(project.api_token))).toMatchObject({ status: 404 });
    expect((await service.call('PUT', '/v1/track', { key: null })).status).toBe(405);
  });

  it.each(['batch', 'track', 't'])(
    '/v1/%s answers browsers from any origin, with Basic authentication',
    async (type) => {
      const origin = 'https://shop.example.test';
      const preflight = await fetch(`${service.url}/v1/${type}`, {
        method: 'OPTIONS',
        headers: {
          origin,
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization,content-type',
        },
      });
      expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
      expect(preflight.headers.get('access-control-allow-headers')).toBe('authorization,content-type');
      const sent = await send(`/v1/${type}`, track(), { ...basic(project.api_token), origin });
      expect([sent.status, sent.headers.get('access-control-allow-origin')]).toEqual([200, origin]);
    },
  );
});
