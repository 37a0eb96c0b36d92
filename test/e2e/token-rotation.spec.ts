import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
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
  project = await service.newProject('Rotated');
});

const ofProject = (path: string) => `/api/projects/${project.id}${path}`;
const post = (body: object = {}, key?: string) => service.call('POST', ofProject('/rotate_token'), { key, body });
const rotate = async (body?: object): Promise<ProjectDto> => {
  const answer = await post(body);
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body as ProjectDto;
};
const event = { event: 'seen', distinct_id: 'ada' };
const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`${token}:`).toString('base64')}` });

/** Every form in which a token is sent. */
const carriers: [string, (token: string) => Parameters<ServiceHandle['call']>][] = [
  ['/batch', (token) => ['POST', '/batch', { key: null, body: { api_key: token, batch: [event] } }]],
  ['/i/v0/e', (token) => ['POST', '/i/v0/e', { key: null, body: { token, ...event } }]],
  ['/e by GET', (token) => ['GET', '/e', { key: null, query: { data: JSON.stringify({ token, ...event }) } }]],
  ['/engage', (token) => ['POST', '/engage', { key: null, body: { token, $distinct_id: 'ada', $set: { a: 1 } } }]],
  [
    '/v1/track',
    (token) => ['POST', '/v1/track', { key: null, headers: basic(token), body: { userId: 'ada', event: 'seen' } }],
  ],
  [
    '/v1/batch',
    (token) => [
      'POST',
      '/v1/batch',
      { key: null, body: { writeKey: token, batch: [{ type: 'track', userId: 'ada', event: 'seen' }] } },
    ],
  ],
];
const statuses = (token: string): Promise<number[]> =>
  Promise.all(carriers.map(async ([, requestWith]) => (await service.call(...requestWith(token))).status));
const all = (status: number) => carriers.map(() => status);

describe('the rotation of a project token', () => {
  it('lets both tokens capture until the grace is over, and then the new one alone, within a second', async () => {
    expect(await statuses(project.api_token)).toEqual(all(200));
    const rotated = await rotate({ grace_seconds: 2 });
    const rotatedAt = performance.now();
    expect(rotated).toEqual({
      ...project,
      api_token: expect.stringMatching(/^phc_[0-9A-Za-z]{43}$/),
      previous_api_token_until: expect.any(String),
    });
    expect(rotated.api_token).not.toBe(project.api_token);
    expect((await service.call('GET', ofProject(''))).body).toEqual(rotated);
    expect([await statuses(project.api_token), await statuses(rotated.api_token)]).toEqual([all(200), all(200)]);
    let last = 200;
    while (last === 200 && performance.now() - rotatedAt < 5000) {
      await sleep(20);
      const body = { api_key: project.api_token, ...event };
      last = (await service.call('POST', '/capture', { key: null, body })).status;
    }
    expect(last).toBe(401);
    const passed = performance.now() - rotatedAt;
    expect(passed).toBeGreaterThan(1900);
    expect(passed).toBeLessThan(3100);
    expect([await statuses(project.api_token), await statuses(rotated.api_token)]).toEqual([all(401), all(200)]);
  });

  it('ends the previous token at once without a grace, and with another rotation', async () => {
    const second = await rotate();
    const third = await rotate();
    await sleep(1000);
    expect([await statuses(project.api_token), await statuses(second.api_token)]).toEqual([all(401), all(200)]);
    const fourth = await rotate({ grace_seconds: 0 });
    expect(fourth.previous_api_token_until).toBeNull();
    await sleep(1000);
    expect([await statuses(third.api_token), await statuses(fourth.api_token)]).toEqual([all(401), all(200)]);
  });

  it('has a week of grace when the body says nothing', async () => {
    const { previous_api_token_until } = await rotate();
    const { rows } = await service.pool.query<{ s: number }>(
      'SELECT extract(epoch FROM $1::timestamptz - clock_timestamp())::integer AS s',
      [previous_api_token_until],
    );
    expect(Math.abs((rows[0]?.s ?? 0) - 604_800)).toBeLessThan(30);
  });

  it('counts events of both tokens for the one project', async () => {
    const { api_token } = await rotate();
    for (const [at, token] of [project.api_token, api_token].entries()) {
      const body = { api_key: token, event: 'seen', distinct_id: `d${at}` };
      expect((await service.call('POST', '/capture', { key: null, body })).status).toBe(200);
    }
    expect((await service.call('GET', ofProject('/persons'))).body).toMatchObject({ count: 2 });
  });

  it.each([-1, 2_592_001, 1.5, '60', null])('refuses a grace of %j', async (grace) => {
    const answer = await post({ grace_seconds: grace });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr: 'grace_seconds' })]);
    expect((await service.call('GET', ofProject(''))).body).toEqual(project);
  });

  it('needs the scope that changes settings, and the project', async () => {
    const reader = await service.newKey({ scopes: ['project:read'] });
    const foreign = await service.newKey({ projectIds: [service.project.id] });
    expect([(await post({}, reader.text)).status, (await post({}, foreign.text)).status]).toEqual([403, 404]);
    const limited = await service.newKey({ scopes: ['project:write'], projectIds: [project.id] });
    expect((await post({}, limited.text)).status).toBe(200);
  });

  it('is logged without a token', async () => {
    const { api_token, previous_api_token_until } = await rotate({ grace_seconds: 60 });
    const { rows } = await service.pool.query<{ activity: string; detail: ActivityEntryDto['detail'] }>(
      'SELECT activity, detail FROM activity_log WHERE project_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1',
      [project.id],
    );
    expect(rows[0]).toMatchObject({
      activity: 'token_rotated',
      detail: {
        changes: [
          { type: 'Project', field: 'api_token', before: null, after: null },
          { field: 'previous_api_token_until', before: null, after: previous_api_token_until },
        ],
      },
    });
    for (const token of [project.api_token, api_token]) expect(JSON.stringify(rows)).not.toContain(token.slice(4));
  });

  it('is no change that PATCH can make', async () => {
    const rotated = await rotate();
    const back = await service.call('PATCH', ofProject(''), { body: { ...rotated, name: 'Renamed' } });
    expect([back.status, back.body]).toEqual([200, { ...rotated, name: 'Renamed' }]);
    const stale = await service.call('PATCH', ofProject(''), { body: { api_token: project.api_token } });
    expect([stale.status, stale.body]).toEqual([400, expect.objectContaining({ attr: 'api_token' })]);
  });
});
