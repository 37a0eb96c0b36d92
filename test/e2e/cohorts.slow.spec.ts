import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { type CohortDto } from '../../src/cohorts/cohort.dto.js';
import { type ExplanationDto, type PreviewDto } from '../../src/cohorts/preview/preview.dto.js';
import { all, any, CohortsOf, did, isIn, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

interface Page {
  readonly count: number;
  readonly next: string | null;
  readonly results: CohortDto[];
}

let service: ServiceHandle;
let of: CohortsOf;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  of = new CohortsOf(service, (await service.newProject()).id);
});

const load = (...lines: object[]) => importLines(service, of.projectId, lines);
const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const event = (distinct_id: string, name: string, days: number, properties: object = {}) => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp: ago(days),
  properties,
});
const threePersons = () =>
  load(
    personLine('ada', { email: 'ada@example.test', plan: 'pro' }),
    personLine(['bob', 'bob-2'], { email: 'bob@example.test', plan: 'free' }),
    personLine('cy', { plan: 'pro' }),
    event('ada', 'bought', 2, { size: 3 }),
    event('ada', 'bought', 40),
    event('bob', 'bought', 40),
    event('cy', 'opened', 1),
  );
const page = async (path: string, query: Record<string, string | number> = {}) =>
  (await of.call('GET', path, { query })).body as Page;
const ids = ({ results }: Page) => results.map(({ id }) => id);
const pro = all(where('plan', 'pro'));

describe('a dynamic cohort', () => {
  beforeEach(threePersons);

  it('is queued at once, then calculated, and says who made it', async () => {
    const queued = await of.call('POST', 'cohorts', { body: { name: 'Pros', filters: pro } });
    expect([queued.status, queued.body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Pros',
        description: '',
        groups: [],
        deleted: false,
        filters: pro,
        query: null,
        is_calculating: true,
        created_by: expect.objectContaining({ email: service.email, hedgehog_config: {} }),
        last_calculation: null,
        errors_calculating: 0,
        count: null,
        is_static: false,
        experiment_set: [],
        version: null,
        calculation_error: null,
      }),
    ]);
    const { id } = queued.body as CohortDto;
    for (let n = 0; n < 200 && (await of.cohort(id)).is_calculating; n += 1)
      await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await of.cohort(id)).toMatchObject({ is_calculating: false, count: 2, version: 1 });
    expect(await of.names(id)).toEqual(['ada', 'cy']);
  });

  it('is calculated by the clock of the request that asked for it', async () => {
    const made = await of.create({ filters: all(did('bought')) }, { headers: { 'X-Test-Now': ago(30) } });
    expect(await of.names(made.id)).toEqual(['ada', 'bob']);
    const again = await of.recalculate(made.id);
    expect(again.version).toBe(2);
    expect(await of.names(made.id)).toEqual(['ada']);
  });

  it('recalculates for a new definition and not for a new name', async () => {
    const made = await of.create({ filters: pro });
    const renamed = await of.change(made.id, { name: 'Others', description: 'd' });
    expect(renamed).toMatchObject({ name: 'Others', version: 1, is_calculating: false });
    const same = await of.change(made.id, { filters: pro });
    expect(same.version).toBe(1);
    const redefined = await of.change(made.id, { filters: all(where('plan', 'free')) });
    expect(redefined).toMatchObject({ version: 2, count: 1 });
    expect(await of.names(made.id)).toEqual(['bob']);
  });

  it('may be everyone else, or nobody', async () => {
    const others = await of.create({ filters: all(did('bought', { negation: true })) });
    expect(await of.names(others.id)).toEqual(['bob', 'cy']);
    const noPerson = await of.create({ filters: all(did('never')) });
    expect(noPerson).toMatchObject({ count: 0, errors_calculating: 0 });
  });

  it('takes the oldest form and shows both', async () => {
    const groups = [{ properties: { plan: 'pro' } }, { event_id: 'bought', days: 60, count: 1, count_operator: 'gte' }];
    const made = await of.create({ groups });
    expect(made.groups).toEqual(groups);
    expect(made.filters).toMatchObject({ properties: { type: 'OR' } });
    expect(await of.names(made.id)).toEqual(['ada', 'bob', 'cy']);
  });

  it('follows those it refers to, and is calculated after them', async () => {
    const inner = await of.create({ filters: pro });
    const outer = await of.create({ filters: all(isIn(inner.id), did('bought')) });
    expect(await of.names(outer.id)).toEqual(['ada']);
    const body = { filters: all(where('plan', 'free')) };
    await of.call('PATCH', `cohorts/${inner.id}`, { body });
    await of.recalculate(outer.id);
    expect(await of.names(outer.id)).toEqual([]);
    const not = await of.create({ filters: all(isIn(inner.id, { negation: true })) });
    expect(await of.names(not.id)).toEqual(['ada', 'cy']);
  });

  it('keeps its members when persons are merged, split and deleted, and counts those who are there', async () => {
    const made = await of.create({ filters: pro });
    const ada = await of.ofDistinctId('ada');
    const merge = (into: string, other: string) =>
      service.call('POST', '/batch', {
        key: null,
        body: {
          api_key: projectToken,
          batch: [
            {
              event: '$merge_dangerously',
              distinct_id: into,
              timestamp: new Date().toISOString(),
              properties: { alias: other },
            },
          ],
        },
      });
    const { api_token: projectToken } = (await service.call('GET', `/api/projects/${of.projectId}`)).body as {
      api_token: string;
    };
    await merge('bob', 'ada');
    expect(await of.names(made.id)).toEqual(['ada', 'cy']);
    expect((await of.cohort(made.id)).count).toBe(2);
    await merge('zoe', 'bob');
    expect(await of.names(made.id)).toEqual(['ada', 'cy']);
    const merged = (await of.members(made.id)).find(({ distinct_ids }) => distinct_ids.includes('ada'));
    expect(merged?.id).not.toBe(ada.id);
    await of.call('POST', `persons/${merged?.id}/split`, { body: { distinct_ids_to_split: ['bob-2'] } });
    expect((await of.cohort(made.id)).count).toBe(2);
    await of.call('DELETE', `persons/${merged?.id}`);
    expect(await of.names(made.id)).toEqual(['cy']);
    expect((await of.cohort(made.id)).count).toBe(1);
    expect(await of.csvRows(made.id)).toBe(1);
  });
});

describe('cohorts as a list', () => {
  it('are newest first, found by name and kind, and deleted ones are not there', async () => {
    const a = await of.create({ name: 'Alpha', filters: pro });
    const b = await of.create({ name: 'Beta', is_static: true, person_ids: [] });
    const c = await of.create({ name: 'alphabet', filters: pro });
    expect(ids(await page('cohorts'))).toEqual([c.id, b.id, a.id]);
    expect(ids(await page('cohorts', { search: 'ALPHA' }))).toEqual([c.id, a.id]);
    expect(ids(await page('cohorts', { search: '%' }))).toEqual([]);
    expect(ids(await page('cohorts', { type: 'static' }))).toEqual([b.id]);
    expect(ids(await page('cohorts', { type: 'dynamic', limit: 1, offset: 1 }))).toEqual([a.id]);
    expect((await of.call('GET', 'cohorts', { query: { type: 'odd' } })).body).toMatchObject({ attr: 'type' });
    await of.change(a.id, { deleted: true });
    expect(ids(await page('cohorts'))).toEqual([c.id, b.id]);
    expect(await of.cohort(a.id)).toMatchObject({ deleted: true });
  });

  it('of another project are not there', async () => {
    const made = await of.create({ filters: pro });
    const other = await service.newProject();
    for (const path of ['', '/persons', '/activity', '/duplicate_as_static_cohort', '/explain?person_id=1'])
      expect((await service.call('GET', `/api/projects/${other.id}/cohorts/${made.id}${path}`)).status).toBe(404);
    expect((await of.call('GET', 'cohorts/abc')).status).toBe(404);
    expect((await of.call('GET', 'cohorts/99999999999')).status).toBe(404);
  });
});

describe('deleting a cohort', () => {
  it('waits for those that refer to it, and restoring calculates anew', async () => {
    await threePersons();
    const inner = await of.create({ filters: pro });
    const outer = await of.create({ name: 'Outer', filters: all(isIn(inner.id)) });
    const refused = await of.call('PATCH', `cohorts/${inner.id}`, { body: { deleted: true } });
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ code: 'conflict', attr: 'deleted', detail: expect.stringContaining('"Outer"') }),
    ]);
    await of.change(outer.id, { deleted: true });
    await of.change(inner.id, { deleted: true });
    expect((await of.call('GET', `cohorts/${inner.id}/persons`)).status).toBe(404);
    const orphan = await of.call('PATCH', `cohorts/${outer.id}`, { body: { deleted: false } });
    expect(orphan.body).toMatchObject({ status: 400, attr: 'filters.properties.values.0.value' });
    const restored = await of.change(inner.id, { deleted: false });
    expect(restored).toMatchObject({ deleted: false, is_calculating: false, count: 2, version: 2 });
  });

  it('by DELETE is not allowed, which only those learn who may ask', async () => {
    const path = `/api/projects/${of.projectId}/cohorts/1`;
    const send = async (key: string | null) => {
      const answer = await service.call('DELETE', path, { key });
      return [answer.status, answer.headers.allow];
    };
    const { text: reader } = await service.newKey({ scopes: ['cohort:read'] });
    expect(await send(null)).toEqual([401, undefined]);
    expect(await send(reader)).toEqual([403, undefined]);
    expect((await service.call('DELETE', '/api/projects/999999/cohorts/1')).status).toBe(404);
    expect(await send(service.key)).toEqual([405, 'GET, PATCH']);
    expect((await service.call('DELETE', path)).body).toMatchObject({
      code: 'method_not_allowed',
      detail: 'DELETE is not allowed here: use PATCH; {"deleted": true} hides a cohort, and false restores it',
    });
    expect((await service.call('DELETE', path, { query: { limit: 5 } })).status).toBe(405);
  });
});

describe('activity', () => {
  it('tells of every change with what it was and is, and of nothing else', async () => {
    await threePersons();
    const made = await of.create({ name: 'A', filters: pro });
    await of.change(made.id, {});
    await of.change(made.id, { name: 'A', filters: pro });
    await of.change(made.id, { name: 'B', filters: all(where('plan', 'free')) });
    await of.change(made.id, { deleted: true });
    await of.change(made.id, { deleted: false });
    const { results } = (await of.call('GET', `cohorts/${made.id}/activity`)).body as { results: ActivityEntryDto[] };
    expect(results.map(({ activity }) => activity)).toEqual(['restored', 'deleted', 'updated', 'created']);
    expect(results[2]?.detail).toEqual({
      name: 'B',
      changes: [
        { type: 'Cohort', action: 'changed', field: 'name', before: 'A', after: 'B' },
        { type: 'Cohort', action: 'changed', field: 'filters', before: pro, after: all(where('plan', 'free')) },
      ],
    });
    expect(results[0]).toMatchObject({
      scope: 'Cohort',
      item_id: String(made.id),
      user: { email: service.email },
    });
    await of.create({ name: 'other', filters: pro });
    const everything = (await of.call('GET', 'cohorts/activity')).body as { count: number };
    expect(everything.count).toBe(5);
    expect((await of.call('GET', 'cohorts/999999/activity')).status).toBe(404);
  });
});

describe('a definition that names properties', () => {
  it('needs person:read, because its count would tell them letter by letter', async () => {
    await threePersons();
    const key = async (...scopes: ('cohort:write' | 'person:read' | 'action:write')[]) =>
      (await service.newKey({ scopes, projectIds: [of.projectId] })).text;
    const [blind, reader] = [await key('cohort:write', 'action:write'), await key('cohort:write', 'person:read')];
    const action = (await of.call('POST', 'actions', { body: { name: 'A', steps: [{ event: 'paid' }] } })).body as {
      id: number;
    };
    const guesses = [
      pro,
      all(did('paid', { event_filters: [{ type: 'event', key: 'amount', operator: 'gt', value: 5 }] })),
      all(did('', { key: action.id, event_type: 'actions' })),
    ];
    const { id } = await of.create({ name: 'seen', filters: pro });
    for (const filters of guesses) {
      const create = (by: string) => of.call('POST', 'cohorts', { key: by, body: { name: 'guess', filters } });
      const denied = [
        await create(blind),
        await of.call('PATCH', `cohorts/${(await of.create({ filters: all(did('paid')) })).id}`, {
          key: blind,
          body: { filters },
        }),
      ];
      for (const { status, body, headers } of denied)
        expect([status, body, headers['x-required-scopes']]).toMatchObject([
          403,
          { attr: 'filters', detail: expect.stringContaining('person:read') },
          'cohort:write person:read',
        ]);
      expect((await create(reader)).status).toBe(201);
    }
    const allowed = [
      await of.call('POST', 'cohorts', { key: blind, body: { name: 'did', filters: all(did('paid')) } }),
      await of.call('PATCH', `cohorts/${id}`, { key: blind, body: { name: 'renamed', filters: pro } }),
    ];
    expect(allowed.map(({ status }) => status)).toEqual([201, 200]);
  });
});

describe('an Idempotency-Key', () => {
  it('makes one cohort of two requests, and one copy', async () => {
    const body = { name: 'Once', filters: pro };
    const send = () => of.call('POST', 'cohorts', { body, headers: { 'Idempotency-Key': 'k1' } });
    const [first, second] = [await send(), await send()];
    expect((second.body as CohortDto).id).toBe((first.body as CohortDto).id);
    expect(second.headers['idempotent-replayed']).toBe('true');
    const { id } = first.body as CohortDto;
    const copy = () =>
      of.call('GET', `cohorts/${id}/duplicate_as_static_cohort`, { headers: { 'Idempotency-Key': 'k2' } });
    const [a, b] = [await copy(), await copy()];
    expect((a.body as CohortDto).id).toBe((b.body as CohortDto).id);
    expect(a.headers['cache-control']).toBe('no-store');
    expect((await page('cohorts')).count).toBe(2);
  });

  it('tells one upload from another', async () => {
    await threePersons();
    const send = (csv: string) =>
      of.upload('POST', 'cohorts?wait=20', { name: 'Up', is_static: 'true' }, csv, { 'Idempotency-Key': 'k3' });
    expect((await send('ada')).status).toBe(201);
    expect((await send('bob')).status).toBe(409);
    expect((await page('cohorts')).count).toBe(1);
  });
});

describe('a static cohort', () => {
  beforeEach(threePersons);

  it('has whom the body names, by any id, and ignores who is unknown', async () => {
    const bob = await of.ofDistinctId('bob');
    const made = await of.create({
      is_static: true,
      person_ids: [bob.id, bob.uuid, 999_999],
      distinct_ids: ['ada', 'x'],
    });
    expect(made).toMatchObject({ is_static: true, is_calculating: false, count: 2, filters: null });
    expect(await of.names(made.id)).toEqual(['ada', 'bob']);
    const cy = await of.ofDistinctId('cy');
    expect(await of.change(made.id, { person_ids: [cy.id] })).toMatchObject({ count: 3 });
  });

  it.each([
    ['one column of distinct ids', 'ada\r\n\r\n bob-2 \r\nnobody\r\n', ['ada', 'bob']],
    ['a byte order mark, quotes and line feeds', '\uFEFF"ada"\n"c""y"\n"cy"', ['ada', 'cy']],
    ['e-mails under their header', 'E-Mail\nADA@example.test\n\n', ['ada']],
    ['one of several columns', 'name,Distinct_ID\nAda,ada\n"x,y","cy"\nshort\n', ['ada', 'cy']],
    ['semicolons', 'Distinct ID;plan\nada;1,5\ncy;2\n', ['ada', 'cy']],
    ['tabs in UTF-16', Buffer.from('\ufeffplan\tdistinct_id\r\npro\tada\r\n', 'utf16le'), ['ada']],
  ])('is filled from a file with %s', async (_, csv, members) => {
    const { status, body } = await of.upload('POST', 'cohorts?wait=20', { name: 'Up', is_static: 'true' }, csv);
    expect([status, body.is_calculating, body.count, body.calculation_error]).toEqual([
      201,
      false,
      members.length,
      null,
    ]);
    expect(await of.names(body.id)).toEqual(members);
    const more = await of.upload('PATCH', `cohorts/${body.id}?wait=20`, {}, 'bob');
    expect([more.status, more.body.count]).toEqual([200, new Set([...members, 'bob']).size]);
  });

  it('is filled from a long file in time that does not grow with what is left of it', async () => {
    const rows = Array.from({ length: 30_000 }, (_, n) => ['ada', 'bob', 'cy'][(n - 9_999) / 10_000] ?? `x${n}`);
    const { status, body } = await of.upload(
      'POST',
      'cohorts?wait=25',
      { name: 'Up', is_static: 'true' },
      rows.join('\n'),
    );
    expect([status, body.is_calculating, body.count, body.calculation_error]).toEqual([201, false, 3, null]);
  });

  it('is filled by person ids, integers and uuids, whatever stands beside them', async () => {
    const [ada, cy] = [await of.ofDistinctId('ada'), await of.ofDistinctId('cy')];
    const csv = `distinct_id,email,person_id\nbob,bob@example.test,${ada.uuid}\n,,${cy.id}\n,,odd\n`;
    const { body } = await of.upload('POST', 'cohorts?wait=20', { name: 'Up', is_static: 'true' }, csv);
    expect(await of.names(body.id)).toEqual(['ada', 'cy']);
  });

  it.each([
    ['nothing', '', /empty/],
    ['several columns without a header', 'ada,bob\ncy,dee', /found "ada", "bob"/],
    ['semicolons without a header', 'ada;bob\ncy;dee', /found "ada", "bob".*quotes/],
    ['a header alone', 'email\n', /holds no email/],
    ['person ids that are none', 'person_id\nada\n', /integer or a uuid/],
    ['an open quote', 'ada\n"bob', /not closed/],
    ['bytes that are not UTF-8', new Uint8Array([0x61, 0xff, 0xfe]), /UTF-8/],
  ])('is refused for a file with %s, and not made', async (_, csv, detail) => {
    const { status, body } = await of.upload('POST', 'cohorts', { name: 'Up', is_static: 'true' }, csv);
    expect([status, body.attr, body.detail]).toEqual([400, 'csv', expect.stringMatching(detail)]);
    expect((await page('cohorts')).count).toBe(0);
  });

  it('takes persons in and out by hand, and says so', async () => {
    const { id } = await of.create({ is_static: true, name: 'S', distinct_ids: [] });
    const [ada, bob] = [await of.ofDistinctId('ada'), await of.ofDistinctId('bob')];
    const add = (body: object) => of.call('PATCH', `cohorts/${id}/add_persons_to_static_cohort`, { body });
    const remove = (body: object) => of.call('PATCH', `cohorts/${id}/remove_person_from_static_cohort`, { body });
    expect((await add({ person_ids: [ada.uuid, bob.id] })).body).toEqual({ success: true });
    expect((await add({ person_ids: [ada.id] })).body).toEqual({ success: true });
    expect(await of.names(id)).toEqual(['ada', 'bob']);
    expect((await remove({ person_id: ada.uuid })).body).toEqual({ success: true });
    expect((await remove({ person_id: ada.uuid })).status).toBe(200);
    expect(await of.names(id)).toEqual(['bob']);
    expect((await of.cohort(id)).count).toBe(1);
    const entries = await of.activity(`cohorts/${id}/activity`);
    expect(
      entries.map(({ activity, detail }) => [activity, detail.changes[0]?.before, detail.changes[0]?.after]),
    ).toEqual([
      ['person_removed_manually', [ada.id], null],
      ['persons_added_manually', null, [ada.id, bob.id].sort((a, b) => a - b)],
      ['created', null, expect.anything()],
    ]);
    expect((await add({})).body).toMatchObject({ status: 400, attr: 'person_ids' });
    expect((await add({ person_ids: [999_999] })).body).toMatchObject({ status: 400, attr: 'person_ids' });
    expect((await add({ person_ids: ['odd'] })).body).toMatchObject({ attr: 'person_ids.0' });
    expect((await remove({})).body).toMatchObject({ attr: 'person_id', code: 'required' });
    expect((await remove({ person_id: 'odd' })).body).toMatchObject({ attr: 'person_id' });
    expect((await remove({ person_id: 999_999 })).status).toBe(404);
    const dynamic = await of.create({ filters: pro });
    const refused = await of.call('PATCH', `cohorts/${dynamic.id}/add_persons_to_static_cohort`, {
      body: { person_ids: [ada.id] },
    });
    expect(refused.status).toBe(400);
  });

  it('keeps a person that is merged, under the other, until it is taken out', async () => {
    const { id } = await of.create({ is_static: true, distinct_ids: ['ada'] });
    const { api_token } = (await service.call('GET', `/api/projects/${of.projectId}`)).body as { api_token: string };
    const batch = [{ event: '$merge_dangerously', distinct_id: 'bob', properties: { alias: 'ada' } }];
    await service.call('POST', '/batch', { key: null, body: { api_key: api_token, batch } });
    expect(await of.names(id)).toEqual(['ada']);
    const bob = await of.ofDistinctId('bob');
    await of.call('PATCH', `cohorts/${id}/remove_person_from_static_cohort`, { body: { person_id: bob.id } });
    expect(await of.names(id)).toEqual([]);
    expect((await of.cohort(id)).count).toBe(0);
    await of.call('PATCH', `cohorts/${id}/add_persons_to_static_cohort`, { body: { person_ids: [bob.id] } });
    expect(await of.names(id)).toEqual(['ada']);
  });

  it('is copied of any cohort, and stays as it is', async () => {
    const source = await of.create({ name: 'Pros', filters: pro });
    const answer = await of.call('GET', `cohorts/${source.id}/duplicate_as_static_cohort`, { query: { wait: 20 } });
    const copy = answer.body as CohortDto;
    expect(copy).toMatchObject({
      name: 'Pros (static copy)',
      is_static: true,
      count: 2,
      filters: null,
      description: '',
    });
    const ada = await of.ofDistinctId('ada');
    await of.call('PATCH', `persons/${ada.id}`, { body: { properties: { plan: 'free' } } });
    await of.recalculate(source.id);
    expect(await of.names(source.id)).toEqual(['cy']);
    expect(await of.names(copy.id)).toEqual(['ada', 'cy']);
    const again = await of.call('GET', `cohorts/${copy.id}/duplicate_as_static_cohort`, { query: { wait: 20 } });
    expect(await of.names((again.body as CohortDto).id)).toEqual(['ada', 'cy']);
    const head = await fetch(
      `${service.url}/api/projects/${of.projectId}/cohorts/${copy.id}/duplicate_as_static_cohort`,
      {
        method: 'HEAD',
        headers: { authorization: `Bearer ${service.key}` },
      },
    );
    expect(head.status).toBe(405);
    expect((await page('cohorts')).count).toBe(3);
  });
});

describe('the members of a cohort', () => {
  it('are found, filtered and exported as persons are', async () => {
    await threePersons();
    const { id } = await of.create({ filters: any(where('plan', 'pro'), where('plan', 'free')) });
    expect(await of.names(id, { search: 'bob@' })).toEqual(['bob']);
    expect(await of.names(id, { properties: JSON.stringify([{ key: 'plan', value: 'pro' }]) })).toEqual(['ada', 'cy']);
    expect(await of.names(id, { limit: 1 })).toEqual(['ada', 'bob', 'cy']);
    expect(await of.csvRows(id)).toBe(3);
    const bad = await of.call('GET', `cohorts/${id}/persons`, { query: { cursor: 'damaged' } });
    expect(bad.body).toMatchObject({ status: 400, attr: 'cursor' });
    const unfinished = await of.call('POST', 'cohorts', { body: { name: 'n', filters: pro } });
    expect(unfinished.status).toBe(201);
  });

  it('are those whom the persons list and the filters know as such', async () => {
    await threePersons();
    const { id } = await of.create({ filters: pro });
    const listed = (await of.call('GET', 'persons', { query: { cohort: id } })).body as { count: number };
    const filter = JSON.stringify([{ type: 'cohort', key: 'id', value: id, negation: true }]);
    const others = (await of.call('GET', 'persons', { query: { properties: filter } })).body as { count: number };
    expect([listed.count, others.count]).toEqual([2, 1]);
  });
});

describe('the cohorts of a person', () => {
  it('are those it is in now', async () => {
    await threePersons();
    const pros = await of.create({ filters: pro });
    const byHand = await of.create({ is_static: true, distinct_ids: ['ada', 'bob'] });
    await of.create({ filters: all(did('never')) });
    const gone = await of.create({ filters: pro });
    await of.change(gone.id, { deleted: true });
    const ada = await of.ofDistinctId('ada');
    expect(ids(await page('persons/cohorts', { person_id: ada.id }))).toEqual([byHand.id, pros.id]);
    expect(ids(await page('persons/cohorts', { person_id: ada.uuid }))).toEqual([byHand.id, pros.id]);
    expect(ids(await page('persons/cohorts', { distinct_id: 'bob-2' }))).toEqual([byHand.id]);
    expect(ids(await page('persons/cohorts'))).toEqual([byHand.id, pros.id]);
    expect(ids(await page('persons/cohorts', { limit: 1, offset: 1 }))).toEqual([pros.id]);
    const call = (query: Record<string, string | number>) => of.call('GET', 'persons/cohorts', { query });
    expect((await call({ person_id: 'odd' })).body).toMatchObject({ status: 400, attr: 'person_id' });
    expect((await call({ person_id: 999_999 })).status).toBe(404);
    expect((await call({ distinct_id: 'nobody' })).status).toBe(404);
    expect((await call({ person_id: 1, distinct_id: 'a' })).body).toMatchObject({ attr: 'distinct_id' });
  });
});

describe('a preview', () => {
  it('counts, shows some, and stores nothing', async () => {
    await threePersons();
    const answer = await of.call('POST', 'cohorts/preview', { body: { filters: pro } });
    expect(answer.body).toMatchObject({ count: 2, results: [{ distinct_ids: ['ada'] }, { distinct_ids: ['cy'] }] });
    expect((answer.body as PreviewDto).criteria).toEqual([
      {
        path: 'filters.properties.values.0',
        type: 'person',
        key: 'plan',
        criterion: 'exact',
        negated: false,
        operator: null,
        operator_value: null,
      },
    ]);
    expect((await page('cohorts')).count).toBe(0);
    const named = { name: 'Pro plan', description: 'Who pays', filters: pro };
    expect((await of.call('POST', 'cohorts/preview', { body: named })).body).toEqual(answer.body);
    expect((await of.call('POST', 'cohorts/preview', { body: { ...named, name: 5 } })).body).toMatchObject({
      status: 400,
      attr: 'name',
    });
    expect((await of.call('POST', 'cohorts/preview', { body: {} })).body).toMatchObject({ attr: 'filters' });
    const bad = await of.call('POST', 'cohorts/preview', {
      body: { filters: all(where('plan', '(', { operator: 'regex' })) },
    });
    expect(bad.body).toMatchObject({ status: 400, attr: 'filters.properties.values.0.value' });
  });
});

describe('a criterion that counts events without an operator', () => {
  it.each(['performed_event_multiple', 'performed_event_regularly'])('means exactly, and %s says so', async (value) => {
    await threePersons();
    const bought = (times: number) => ({
      type: 'event',
      event: 'often',
      distinct_id: ['ada', 'bob'][times - 1],
      timestamp: new Date(Date.now() - 60_000).toISOString(),
    });
    await importLines(service, of.projectId, [bought(1), bought(2), bought(2)]);
    const regularly = value.endsWith('regularly') ? { min_periods: 1, total_periods: 1 } : {};
    const filters = all(did('often', { value, operator_value: 2, ...regularly }));
    const read = { criterion: value, operator: 'eq', operator_value: 2 };
    const preview = await of.call('POST', 'cohorts/preview', { body: { filters } });
    expect(preview.body).toMatchObject({ count: 1, results: [{ name: 'bob@example.test' }], criteria: [read] });
    const { id } = await of.create({ filters });
    const bob = await of.ofDistinctId('bob');
    const explained = await of.call('GET', `cohorts/${id}/explain`, { query: { person_id: bob.id } });
    expect(explained.body).toMatchObject({ member: true, criteria: [{ ...read, held: true }] });
  });
});

describe('an explanation', () => {
  it('says of each criterion whether it holds, and what was seen', async () => {
    await threePersons();
    const inner = await of.create({ filters: pro });
    const { id } = await of.create({
      filters: all(
        where('plan', 'pro'),
        isIn(inner.id, { negation: true }),
        did('bought'),
        did('bought', {
          value: 'performed_event_sequence',
          seq_event: 'bought',
          seq_time_value: 60,
          seq_time_interval: 'day',
          time_value: 90,
        }),
        did('opened', { negation: true }),
      ),
    });
    const ada = await of.ofDistinctId('ada');
    const answer = await of.call('GET', `cohorts/${id}/explain`, { query: { person_id: ada.id } });
    const { member, holds, criteria } = answer.body as ExplanationDto;
    expect([member, holds]).toEqual([false, false]);
    expect(
      criteria.map(({ path, type, held, seen }) => [path.replace('filters.properties.values.', ''), type, held, seen]),
    ).toEqual([
      ['0', 'person', true, 'pro'],
      ['1', 'cohort', false, true],
      ['2', 'behavioral', true, { times: 1 }],
      ['3', 'behavioral', true, {}],
      ['4', 'behavioral', true, { times: 0 }],
    ]);
    const byDistinctId = await of.call('GET', `cohorts/${id}/explain`, { query: { distinct_id: 'ada' } });
    expect(byDistinctId.body).toEqual(answer.body);
  });

  it('needs one person, named in one way', async () => {
    const { id } = await of.create({ filters: pro });
    const explain = (query: Record<string, string>) => of.call('GET', `cohorts/${id}/explain`, { query });
    const refused = async (query: Record<string, string>) => {
      const { status, body } = await explain(query);
      const { attr, code } = body as { attr: string | null; code: string };
      return [status, attr, code];
    };
    expect(await refused({})).toEqual([400, 'person_id', 'required']);
    expect(await refused({ person_id: '1', distinct_id: 'ada' })).toEqual([400, 'distinct_id', 'invalid_input']);
    expect(await refused({ distinct_id: 'of nobody' })).toEqual([404, null, 'not_found']);
  });
});
