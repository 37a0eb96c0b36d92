import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

describe('projects', () => {
  it('are created with sensible settings and a token of their own', async () => {
    const answer = await service.call('POST', '/api/projects', { body: { name: 'Shop' } });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        name: 'Shop',
        api_token: expect.stringMatching(/^phc_[0-9A-Za-z]{43}$/),
        previous_api_token_until: null,
        timezone: 'UTC',
        week_start_day: 0,
        person_display_name_properties: ['email', 'name', 'username'],
        test_account_filters: [],
        path_cleaning_filters: [],
        events_ttl_days: null,
        events_ttl_days_by_name: {},
        quotas: { events_per_day: null, cohorts: null, members: null },
        audit_reads: false,
        cookieless_visitors: false,
        protected_person_properties: [],
        protected_group_properties: [],
        protected_merges: false,
        dashboard_links_forbidden: false,
        organization: expect.any(String),
      },
    ]);
    const { id } = answer.body as ProjectDto;
    expect(id).not.toBe(7);
    expect((await service.call('GET', `/api/projects/${id}`)).body).toEqual(answer.body);
  });

  it('change what a PATCH names and nothing else', async () => {
    const { id, api_token } = await service.newProject('Before');
    const settings = {
      timezone: 'Europe/Berlin',
      week_start_day: 1,
      person_display_name_properties: ['nick'],
      test_account_filters: [{ key: 'email', type: 'person', operator: 'icontains', value: '@example.test' }],
      path_cleaning_filters: [{ regex: '/u/\\d+', alias: '/u/:id' }],
      events_ttl_days: 400,
      events_ttl_days_by_name: { paid: null },
    };
    const answer = await service.call('PATCH', `/api/projects/${id}`, { body: { ...settings, api_token } });
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({ ...settings, name: 'Before', api_token }),
    ]);
    expect((await service.call('PATCH', `/api/projects/${id}`, { body: {} })).body).toEqual(answer.body);
  });

  it.each([
    ['timezone', 'Mars/Olympus'],
    ['timezone', '+02:00'],
    ['timezone', 5],
    ['week_start_day', 7],
    ['week_start_day', '1'],
    ['person_display_name_properties', 'email'],
    ['person_display_name_properties', [5]],
    ['test_account_filters', ['email']],
    ['path_cleaning_filters', {}],
    ['name', ''],
    ['name', null],
    ['name', 'x'.repeat(201)],
  ])('refuse %s = %j', async (attr, value) => {
    const answer = await service.call('PATCH', `/api/projects/${service.project.id}`, { body: { [attr]: value } });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr })]);
  });

  it('list only what the key opens', async () => {
    const mine = await service.newProject('Mine');
    const { text } = await service.newKey({ projectIds: [mine.id] });
    const { body } = await service.call('GET', '/api/projects', { key: text });
    expect(body).toMatchObject({ count: 1, next: null, previous: null, results: [{ id: mine.id }] });
  });
});

describe('users/@me', () => {
  it('is the user of the key', async () => {
    const { text } = await service.newKey({ email: 'Grace@example.test', scopes: ['person:read'] });
    const { body } = await service.call('GET', '/api/users/@me', { key: text });
    expect(body).toMatchObject({
      email: 'Grace@example.test',
      first_name: 'Grace',
      last_name: '',
      hedgehog_config: {},
    });
  });
});
