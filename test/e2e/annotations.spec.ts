import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AnnotationDto } from '../../src/saved/annotations/annotation.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: PersonsOf;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new PersonsOf(service, (await service.newProject()).id);
});

const make = async (body: object): Promise<AnnotationDto> => {
  const answer = await of.call('POST', 'annotations', { body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as AnnotationDto;
};

const list = async (query: Record<string, string | number> = {}) => {
  const { body } = await of.call('GET', 'annotations', { query });
  const { count, results } = body as { count: number; results: AnnotationDto[] };
  return [count, ...results.map(({ content }) => content)];
};

describe('an annotation', () => {
  it('is about a moment, or about the beginning of a day in the time zone of the project', async () => {
    await service.call('PATCH', `/api/projects/${of.projectId}`, { body: { timezone: 'Europe/Berlin' } });
    const moment = await make({ content: 'Release', date_marker: '2026-01-08T10:00:00Z', creation_type: 'GIT' });
    expect(moment).toMatchObject({
      ...{ content: 'Release', date_marker: '2026-01-08T10:00:00.000Z', scope: 'project', creation_type: 'GIT' },
      ...{ dashboard_id: null, dashboard_item: null, deleted: false, created_by: { email: service.email } },
    });
    expect((await make({ content: 'Day', date_marker: '2026-01-08' })).date_marker).toBe('2026-01-07T23:00:00.000Z');
    const headers = { 'x-test-now': '2026-02-01T00:00:00Z' };
    const now = await of.call('POST', 'annotations', { body: { content: 'Now' }, headers });
    expect(Date.parse((now.body as AnnotationDto).date_marker)).not.toBeNaN();
    expect((await of.call('GET', `annotations/${moment.id}`)).body).toEqual(moment);
  });

  it('is listed by moment, and found by text, scope and range', async () => {
    await make({ content: 'Old release', date_marker: '2026-01-01' });
    await make({ content: 'New release', date_marker: '2026-01-31T23:00:00Z' });
    await make({ content: 'Outage', date_marker: '2026-01-15' });
    const { id: dashboard } = (await of.call('POST', 'dashboards', { body: { name: 'Growth' } })).body as {
      id: number;
    };
    await make({ content: 'Of a dashboard', date_marker: '2026-01-10', dashboard_id: dashboard });
    expect(await list()).toEqual([4, 'New release', 'Outage', 'Of a dashboard', 'Old release']);
    expect(await list({ search: 'RELEASE' })).toEqual([2, 'New release', 'Old release']);
    expect(await list({ scope: 'dashboard' })).toEqual([1, 'Of a dashboard']);
    expect(await list({ date_from: '2026-01-15', date_to: '2026-01-31' })).toEqual([2, 'New release', 'Outage']);
    expect(await list({ limit: 1, offset: 1 })).toEqual([4, 'Outage']);
  });

  it('changes field by field, is logged, and is deleted', async () => {
    const { id } = await make({ content: 'Relese', date_marker: '2026-01-08' });
    const { body } = await of.call('PATCH', `annotations/${id}`, { body: { content: 'Release' } });
    expect(body).toMatchObject({ id, content: 'Release', date_marker: '2026-01-08T00:00:00.000Z' });
    expect((await of.call('PATCH', `annotations/${id}`, { body: body as object })).body).toEqual(body);
    expect((await of.call('PATCH', `annotations/${id}`, { body: { deleted: true } })).body).toMatchObject({
      deleted: true,
    });
    expect((await of.call('GET', `annotations/${id}`)).status).toBe(404);
    expect((await of.call('DELETE', `annotations/${id}`)).status).toBe(404);
    const { id: other } = await make({ content: 'Other' });
    expect((await of.call('DELETE', `annotations/${other}`)).status).toBe(204);
    const log = await of.activity('activity', { scope: 'Annotation' });
    expect(log.map(({ activity, item_id: item }) => [activity, item])).toEqual([
      ...[
        ['deleted', String(other)],
        ['created', String(other)],
      ],
      ...[
        ['deleted', String(id)],
        ['updated', String(id)],
        ['created', String(id)],
      ],
    ]);
    expect(log[3]?.detail.changes).toEqual([
      { type: 'Annotation', action: 'changed', field: 'content', before: 'Relese', after: 'Release' },
    ]);
  });

  it.each([
    [{}, 'content'],
    [{ content: '' }, 'content'],
    [{ content: 'x', date_marker: 'yesterday' }, 'date_marker'],
    [{ content: 'x', scope: 'organization' }, 'scope'],
    [{ content: 'x', scope: 'dashboard' }, 'dashboard_id'],
    [{ content: 'x', dashboard_item: 77_777 }, 'dashboard_item'],
    [{ content: 'x', dashboard_id: 77_777 }, 'dashboard_id'],
  ])('is refused: %j', async (body, attr) => {
    const answer = await of.call('POST', 'annotations', { body });
    expect([answer.status, answer.body]).toMatchObject([400, { attr }]);
  });

  it('needs its scopes, which those of saved questions include', async () => {
    const { id } = await make({ content: 'Release' });
    const statuses = async (
      scopes: readonly ('annotation:read' | 'annotation:write' | 'insight:write' | 'event:read')[],
    ) => {
      const { text: key } = await service.newKey({ scopes });
      return [
        (await of.call('GET', `annotations/${id}`, { key })).status,
        (await of.call('PATCH', `annotations/${id}`, { key, body: { content: 'Release' } })).status,
      ];
    };
    expect(await statuses(['annotation:read'])).toEqual([200, 403]);
    expect(await statuses(['annotation:write'])).toEqual([200, 200]);
    expect(await statuses(['insight:write'])).toEqual([200, 200]);
    expect(await statuses(['event:read'])).toEqual([403, 403]);
  });
});
