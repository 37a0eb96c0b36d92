import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { exported, exportedLines, importBytes, linesOf, readParquet } from '../support/exports.js';
import { GroupsOf, describes, uses } from '../support/groups.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: GroupsOf;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new GroupsOf(service, (await service.newProject()).id);
  await of.send(uses('acme', at(1)));
  await of.send(uses('beta', at(2)));
  await of.send(
    describes('company', 'acme', { name: 'Acme "Works"', tags: ['a', null] }),
    describes('site', 'berlin', { open: true }, at(3)),
  );
});

const at = (day: number) => ({ timestamp: `2026-01-0${day}T10:00:00.000Z` });
const lines = (query: Readonly<Record<string, string>> = {}) => exportedLines(service, of.projectId, 'groups', query);

describe('exported groups', () => {
  it('are lines that an import takes, after which another project has the same groups', async () => {
    const [acme, beta, berlin, ...more] = await lines();
    expect(more).toEqual([]);
    expect(acme).toEqual({
      type: 'event',
      id: (await of.find('acme')).id,
      uuid: expect.any(String),
      event: '$groupidentify',
      distinct_id: '$company_acme',
      timestamp: '2026-01-01T10:00:00.000Z',
      properties: {
        $group_type: 'company',
        $group_key: 'acme',
        $group_set: { name: 'Acme "Works"', tags: ['a', null] },
      },
    });
    expect([beta?.distinct_id, berlin?.distinct_id]).toEqual(['$company_beta', '$site_berlin']);
    const { bytes } = await exported(service, of.projectId, 'groups');
    const copy = new GroupsOf(service, (await service.newProject()).id);
    expect(await importBytes(service, copy.projectId, bytes)).toMatchObject({ events: 3, duplicates: 0, rejected: [] });
    expect(await importBytes(service, copy.projectId, bytes)).toMatchObject({ events: 0, duplicates: 3 });
    const ofType = async (groups: GroupsOf, index: number) =>
      (await groups.list({ group_type_index: index })).results.map(({ id: _id, ...group }) => group);
    for (const index of [0, 1]) expect(await ofType(copy, index)).toEqual(await ofType(of, index));
  });

  it('have the last word over exported events, which do not repeat what they did to groups', async () => {
    const { id } = await of.find('acme');
    expect((await of.call('DELETE', `groups/${id}`)).status).toBe(204);
    await of.send(uses('acme', at(4)));
    const [groups, events] = [
      await exported(service, of.projectId, 'groups'),
      await exported(service, of.projectId, 'events'),
    ];
    const listed = async (project: GroupsOf, index: number) =>
      (await project.list({ group_type_index: index })).results.map(({ id: _id, ...group }) => group);
    const [copy, late] = [
      new GroupsOf(service, (await service.newProject()).id),
      new GroupsOf(service, (await service.newProject()).id),
    ];
    for (const { bytes } of [groups, events]) await importBytes(service, copy.projectId, bytes);
    for (const index of [0, 1]) expect(await listed(copy, index)).toEqual(await listed(of, index));
    await importBytes(service, late.projectId, events.bytes);
    expect(await late.list()).toMatchObject({
      count: 2,
      results: [{ group_properties: {} }, { group_properties: {} }],
    });
    expect(await late.find('berlin', 1)).toMatchObject({ group_properties: {} });
    await importBytes(service, late.projectId, groups.bytes);
    expect(await late.find('berlin', 1)).toMatchObject({ group_properties: { open: true } });
    expect(await late.find('acme')).toMatchObject({ group_properties: {} });
  });

  it('continue after the last id, and are those that were created within a time', async () => {
    const all = await lines();
    expect(await lines({ cursor: String(all[0]?.id) })).toEqual(all.slice(1));
    expect(await lines({ limit: '2' })).toEqual(all.slice(0, 2));
    expect(await lines({ after: '2026-01-02', before: '2026-01-03' })).toEqual(all.slice(1, 2));
  });

  it('are tables in CSV and Parquet', async () => {
    const [acme, beta] = [await of.find('acme'), await of.find('beta')];
    const csv = await exported(service, of.projectId, 'groups', { format: 'csv', limit: '2' });
    expect(csv.bytes.toString().trimEnd().split('\n')).toEqual([
      '"id","group_type_index","group_key","created_at","properties"',
      `${acme.id},0,"acme","2026-01-01T10:00:00.000Z","{""name"":""Acme \\""Works\\"""",""tags"":[""a"",null]}"`,
      `${beta.id},0,"beta","2026-01-02T10:00:00.000Z","{}"`,
    ]);
    const parquet = await exported(service, of.projectId, 'groups', { format: 'parquet' });
    expect(await readParquet(parquet.bytes)).toHaveLength(3);
    const empty = await exported(service, (await service.newProject()).id, 'groups', { format: 'csv' });
    expect(empty.bytes.toString().trimEnd()).toBe('"id","group_type_index","group_key","created_at","properties"');
  });

  it('are for keys that may read groups', async () => {
    const { text: key } = await service.newKey({ scopes: ['person:read', 'event:read'] });
    expect((await of.call('GET', 'export/groups', { key })).status).toBe(403);
    expect(linesOf((await exported(service, of.projectId, 'groups')).bytes)).toHaveLength(3);
  });
});
