import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const bodies: Readonly<Record<string, object>> = {
  actions: { name: 'Paid', steps: [{ event: 'pay' }] },
  insights: { name: 'Payers', question: { type: 'trends', params: {} } },
  dashboards: { name: 'Growth' },
  webhooks: { url: 'https://receiver.invalid/hook', paused: true },
};

const scopes = { actions: 'Action', insights: 'Insight', dashboards: 'Dashboard', webhooks: 'Webhook' };

describe.each(Object.keys(scopes) as (keyof typeof scopes)[])('one of the %s', (list) => {
  const base = () => `/api/projects/${service.project.id}/${list}`;
  const make = async () => {
    const { status, body } = await service.call('POST', base(), { body: bodies[list] });
    expect(status).toBe(201);
    return body as { id: number; deleted: boolean };
  };

  it('is deleted by PATCH with deleted, once', async () => {
    const record = await make();
    const path = `${base()}/${record.id}`;
    expect((await service.call('PATCH', path, { body: { deleted: false } })).body).toMatchObject({ deleted: false });
    const { body: before } = await service.call('GET', path);
    const { status, body } = await service.call('PATCH', path, { body: { deleted: true } });
    expect([status, body]).toEqual([200, { ...(before as object), deleted: true }]);
    expect((await service.call('GET', path)).status).toBe(404);
    expect((await service.call('PATCH', path, { body: { deleted: true } })).status).toBe(404);
    const { body: log } = await service.call('GET', `/api/projects/${service.project.id}/activity`);
    const [entry] = (log as { results: ActivityEntryDto[] }).results;
    expect(entry).toMatchObject({ scope: scopes[list], item_id: String(record.id), activity: 'deleted' });
  });

  it('stays for a key that may only read, for another project, and for another value', async () => {
    const path = `${base()}/${(await make()).id}`;
    const { text: key } = await service.newKey({ scopes: ['action:read', 'insight:read', 'webhook:read'] });
    expect((await service.call('PATCH', path, { key, body: { deleted: true } })).status).toBe(403);
    const foreign = await service.newProject();
    const other = path.replace(String(service.project.id), String(foreign.id));
    expect((await service.call('PATCH', other, { body: { deleted: true } })).status).toBe(404);
    const { status, body } = await service.call('PATCH', path, { body: { deleted: 'yes' } });
    expect([status, body]).toMatchObject([400, { attr: 'deleted' }]);
    expect((await service.call('GET', path)).status).toBe(200);
  });
});
