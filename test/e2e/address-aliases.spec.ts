import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type KeyDto } from '../../src/auth/keys/key.dto.js';
import { type MeDto } from '../../src/auth/users/me.dto.js';
import { type OrganizationDto } from '../../src/projects/organization.dto.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let foreign: ProjectDto;
let limited: string;

beforeAll(async () => {
  service = await sharedService();
  const people = new PersonsOf(service, service.project.id);
  await people.make(['ada'], { plan: 'pro' });
  await people.make(['bob'], { plan: 'free' });
  foreign = await service.newProject('Foreign');
  const scopes = ['person:read', 'project:read'] as const;
  limited = (await service.newKey({ scopes, projectIds: [service.project.id] })).text;
});
afterAll(() => service.stop());

const environments = (rest = '', id: number | string = service.project.id) => `/api/environments/${id}${rest}`;
const projects = (rest = '', id: number | string = service.project.id) => `/api/projects/${id}${rest}`;

const paths = ['', '/', '/persons', '/persons/?search=ada', '/persons/trends', '/cohorts', '/insights', '/nowhere'];

describe('/api/environments', () => {
  it.each(paths)('answers %j as /api/projects does: with a key, with another one, and without', async (rest) => {
    for (const key of [service.key, limited, null])
      for (const id of [service.project.id, foreign.id, 77_777, '@current', 'x']) {
        const [one, other] = [environments(rest, id), projects(rest, id)];
        const [asked, same] = [await service.call('GET', one, { key }), await service.call('GET', other, { key })];
        expect([asked.status, comparable(asked.body)]).toEqual([same.status, comparable(same.body)]);
      }
  });

  it('keeps the address in links, and opens a page by them', async () => {
    const { body } = await service.call('GET', environments('/persons?limit=1'));
    const { next } = body as { next: string };
    expect(next).toContain(environments('/persons?limit=1'));
    const second = await service.call('GET', next.slice(service.url.length));
    expect(second.body).toMatchObject({ count: 2, results: [{ name: 'ada' }] });
  });

  it('writes under the same rules, and takes a repeated request at the other address for the same', async () => {
    const body = { name: 'Repeated', steps: [{ event: 'pay' }] };
    const headers = { 'idempotency-key': 'environments-1' };
    const refused = await service.call('POST', environments('/actions'), { key: limited, body });
    expect([refused.status, refused.headers['x-required-scopes']]).toEqual([403, 'action:write']);
    const made = await service.call('POST', environments('/actions'), { body, headers });
    const again = await service.call('POST', projects('/actions'), { body, headers });
    expect([made.status, again.status, again.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(again.body).toEqual(made.body);
  });

  it('is no prefix of other names', async () => {
    const { status, body } = await service.call('GET', '/api/environmentsx/1/persons');
    expect([status, body]).toMatchObject([404, { detail: expect.stringContaining('/api/environmentsx/1/persons') }]);
  });
});

/** Without what differs between two requests, and the address, which may be part of a link or a hint. */
const comparable = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replaceAll(/"(request_id|as_of|date_from|date_to)":"[^"]*"/g, '"$1":""')
      .replaceAll('/api/environments', '/api/projects'),
  );

describe('the organization', () => {
  it('is the installation, with the projects that the key opens', async () => {
    const { body } = await service.call('GET', '/api/organizations/@current/', { key: limited });
    const { id, uuid, name, timezone } = service.project;
    const organization = body as OrganizationDto;
    expect(organization.projects).toEqual([{ id, uuid, name, timezone, organization: organization.id }]);
    expect(organization.teams).toEqual(organization.projects);
    expect(organization.email_service_available).toBe(false);
    const byId = `/api/organizations/${organization.id}`;
    expect((await service.call('GET', byId, { key: limited })).body).toEqual(body);
    expect((await service.call('GET', '/api/organizations/', { key: limited })).body).toMatchObject({
      count: 1,
      results: [organization],
    });
    const listed = await service.call('GET', `${byId}/projects/`, { key: limited });
    expect(listed.body).toMatchObject({ count: 1, results: [{ ...service.project }] });
    expect((await service.call('GET', `/api/organizations/${service.project.uuid}`)).status).toBe(404);
  });

  it('needs the scope of projects, and a key', async () => {
    const { text: key } = await service.newKey({ scopes: ['person:read'] });
    for (const path of ['', '/@current', '/@current/projects']) {
      expect((await service.call('GET', `/api/organizations${path}`, { key })).status).toBe(403);
      expect((await service.call('GET', `/api/organizations${path}`, { key: null })).status).toBe(401);
    }
  });

  it('opens to keys with the scopes of the reference product, and to keys from before these', async () => {
    const statuses = async (scopes: readonly ('organization:read' | 'user:read' | 'project:write')[]) => {
      const { text: key } = await service.newKey({ scopes });
      const paths = ['organizations', 'organizations/@current', 'organizations/@current/projects', 'users/@me'];
      return Promise.all(paths.map(async (path) => (await service.call('GET', `/api/${path}`, { key })).status));
    };
    expect(await statuses(['organization:read'])).toEqual([200, 200, 403, 200]);
    expect(await statuses(['project:write'])).toEqual([200, 200, 200, 200]);
    expect(await statuses(['user:read'])).toEqual([403, 403, 403, 200]);
  });

  it('is in the answers by which clients begin', async () => {
    const me = (await service.call('GET', '/api/users/@me/', { key: limited })).body as MeDto;
    expect(me.organizations).toEqual([me.organization]);
    expect(me.team).toEqual({
      ...{ id: service.project.id, uuid: service.project.uuid, name: service.project.name, timezone: 'UTC' },
      organization: me.organization.id,
    });
    const key = (await service.call('GET', '/api/personal_api_keys/@current', { key: limited })).body as KeyDto;
    expect([key.scoped_teams, key.scoped_organizations]).toEqual([[service.project.id], []]);
    const unlimited = (await service.call('GET', '/api/personal_api_keys/@current')).body as KeyDto;
    expect([unlimited.scoped_projects, unlimited.scoped_teams]).toEqual([null, []]);
  });
});
