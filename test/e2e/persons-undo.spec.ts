import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { type PersonMergeDto } from '../../src/persons/undo/person-undo.dto.js';
import { PersonsOf } from '../support/persons.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

type Undone = PersonDto & { restored_person: PersonDto };

let service: ServiceHandle;
let people: PersonsOf;
let token: string;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  const project = await service.newProject();
  people = new PersonsOf(service, project.id);
  token = project.api_token;
});

let hour = 0;

/** One request for each event, in the order of time. */
const send = async (event: string, distinctId: string, properties: object = {}): Promise<void> => {
  const timestamp = new Date(Date.UTC(2024, 0, 10, 0, (hour += 1))).toISOString();
  const answer = await service.call('POST', '/batch', {
    key: null,
    body: { api_key: token, batch: [{ event, distinct_id: distinctId, timestamp, properties }] },
  });
  expect(answer.body).toMatchObject({ status: 1, accepted: 1 });
};

const set = (distinctId: string, properties: object) => send('set', distinctId, { $set: properties });

const personOf = async (distinctId: string): Promise<PersonDto> => {
  const answer = await people.call('GET', 'persons', { query: { distinct_id: distinctId } });
  const [person] = (answer.body as { results: PersonDto[] }).results;
  if (!person) throw new Error(`no person of ${distinctId}`);
  return person;
};

const merges = async (id: number | string): Promise<PersonMergeDto[]> => {
  const answer = await people.call('GET', `persons/${id}/merges`);
  expect(answer.status).toBe(200);
  return (answer.body as { results: PersonMergeDto[] }).results;
};

const undo = (id: number | string, merge: number | string): Promise<Answer> =>
  people.call('POST', `persons/${id}/merges/${merge}/undo`);

const undone = async (id: number | string, merge: number | string): Promise<Undone> => {
  const answer = await undo(id, merge);
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as Undone;
};

const problem = ({ status, body }: Answer) => {
  const { code, detail } = body as { code: string; detail: string };
  return [status, code, detail];
};

const eventsOf = async (id: number): Promise<string[]> =>
  (await people.events({ person_id: id })).map(({ event, distinct_id }) => `${event} ${distinct_id}`).sort();

const range = { date_from: '2024-01-01', date_to: '2024-01-31' };

/** How many persons did both, and the persons that were active. */
const insights = async (): Promise<unknown> => {
  const funnel = await people.call('GET', 'persons/funnel', {
    query: { ...range, events: '[{"id":"looked"},{"id":"bought"}]' },
  });
  const trend = await people.call('GET', 'persons/trends', {
    query: { ...range, events: '[{"id":"looked","math":"dau"}]', display: 'ActionsTable' },
  });
  const { steps } = (funnel.body as { insight: { steps: { count: number }[] } }).insight;
  const [series] = (trend.body as { insight: { series: { aggregated_value: number }[] } }).insight.series;
  return { funnel: steps.map(({ count }) => count), active: series?.aggregated_value };
};

describe('POST persons/{id}/merges/{merge_id}/undo', () => {
  it('leaves nothing behind with an id that was split off from a person that a split had made', async () => {
    const into = (named: string, merged: string) => send('$merge_dangerously', named, { alias: merged });
    const split = async (distinctId: string) => {
      const body = { distinct_ids_to_split: [distinctId] };
      const { id } = await personOf(distinctId);
      expect((await people.call('POST', `persons/${id}/split`, { body })).status).toBe(200);
    };
    for (const name of ['ada', 'bob', 'cyd', 'dan', 'eve']) await set(name, {});
    const ada = await personOf('ada');
    await into('dan', 'ada');
    await send('$create_alias', 'cyd', { alias: 'cyd 2' });
    await into('bob', 'cyd');
    await split('cyd');
    await into('ada', 'bob');
    await into('cyd', 'eve');
    await split('cyd');
    await set('dan', { plan: 'pro' });
    await set('ada', { city: 'Rome' });
    await into('cyd', 'dan');
    const cyd = await personOf('cyd');
    const merge = (await merges(cyd.id)).find(({ merged }) => merged.id === ada.id);
    const { restored_person: restored, ...left } = await undone(cyd.id, merge?.id ?? 0);
    expect([left.distinct_ids.sort(), left.properties]).toEqual([['cyd', 'dan'], { plan: 'pro' }]);
    expect([restored.distinct_ids.sort(), restored.properties]).toEqual([['ada', 'bob', 'cyd 2'], { city: 'Rome' }]);
  });

  it('takes a merge apart: ids, properties and what was set since, events, insights', async () => {
    await set('ada', { plan: 'pro', city: 'Ulm' });
    await set('phone', { plan: 'free', theme: 'dark' });
    await send('looked', 'phone');
    await send('bought', 'ada');
    const [ada, phone] = [await personOf('ada'), await personOf('phone')];
    expect(await insights()).toEqual({ funnel: [1, 0], active: 1 });

    await send('$identify', 'ada', { $anon_distinct_id: 'phone' });
    await set('phone', { theme: 'light', size: 5 });
    await set('ada', { city: 'Bonn' });
    await people.call('PATCH', `persons/${ada.id}`, { body: { properties: { nick: 'a' } } });
    await send('looked', 'ada');
    const together = await people.get(ada.id);
    expect(together.properties).toEqual({ plan: 'pro', city: 'Bonn', theme: 'light', size: 5, nick: 'a' });
    expect(await insights()).toEqual({ funnel: [1, 1], active: 1 });

    const [merge] = await merges(ada.id);
    expect(merge).toEqual({
      id: expect.any(Number),
      merged: { id: phone.id, uuid: phone.uuid, distinct_ids: ['phone'], distinct_id_count: 1 },
      survivor_id: ada.id,
      merged_at: expect.any(String),
      reason: 'identify',
      undone_at: null,
      can_undo: true,
      why_not: null,
    });
    const { restored_person, ...survivor } = await undone(ada.uuid, merge?.id ?? 0);
    expect(survivor).toEqual({
      ...ada,
      properties: { plan: 'pro', city: 'Bonn', nick: 'a' },
      is_identified: true,
    });
    expect(restored_person).toEqual({ ...phone, properties: { plan: 'free', theme: 'light', size: 5 } });
    expect([await people.get(ada.id), await people.get(phone.uuid)]).toEqual([survivor, restored_person]);
    expect(await eventsOf(ada.id)).toEqual([
      '$identify ada',
      '$set ada',
      'bought ada',
      'looked ada',
      'set ada',
      'set ada',
    ]);
    expect(await eventsOf(phone.id)).toEqual(['looked phone', 'set phone', 'set phone']);
    expect(await insights()).toEqual({ funnel: [2, 0], active: 2 });

    expect(await merges(ada.id)).toMatchObject([
      { id: merge?.id, can_undo: false, why_not: 'the merge was undone before' },
    ]);
    expect(await merges(phone.id)).toMatchObject([{ id: merge?.id, undone_at: expect.any(String) }]);
    expect(problem(await undo(ada.id, merge?.id ?? 0))).toEqual([
      409,
      'conflict',
      `merge ${merge?.id ?? 0} cannot be undone: the merge was undone before`,
    ]);
    const entries = await people.activity();
    expect(entries.map(({ activity, item_id }) => `${activity} ${item_id}`).sort()).toEqual([
      `unmerge_person ${ada.id}`,
      `unmerged_from ${phone.id}`,
      `updated ${ada.id}`,
    ]);
    // New events of each id go to its person, and both can be merged again.
    await set('phone', { theme: 'blue' });
    expect((await people.get(phone.id)).properties).toEqual({ plan: 'free', theme: 'blue', size: 5 });
    await send('$merge_dangerously', 'ada', { alias: 'phone' });
    expect(await merges(ada.id)).toMatchObject([{ reason: 'merge_dangerously', can_undo: true }, { can_undo: false }]);
  });

  it('brings a person back out of a person into which its survivor was merged, with what came by its ids', async () => {
    for (const id of ['a', 'b', 'c', 'laptop']) await set(id, { [id]: 1, last: id });
    const [a, b, c] = [await personOf('a'), await personOf('b'), await personOf('c')];
    await people.call('POST', `persons/${a.id}/merge`, { body: { persons: [b.id] } });
    await send('$identify', 'b', { $anon_distinct_id: 'laptop' });
    await send('$create_alias', 'b', { alias: 'new' });
    await people.call('POST', `persons/${c.id}/merge`, { body: { persons: [a.id] } });
    await set('new', { colour: 'red' });
    const all = await merges(c.id);
    expect(all.map(({ merged, survivor_id, reason }) => [merged.id, survivor_id, reason])).toEqual([
      [a.id, c.id, 'by_hand'],
      [expect.any(Number), a.id, 'identify'],
      [b.id, a.id, 'by_hand'],
    ]);
    expect(all[0]?.merged.distinct_ids).toEqual(['a', 'b', 'laptop', 'new']);

    const { restored_person, ...survivor } = await undone(c.id, all[2]?.id ?? 0);
    expect(restored_person).toMatchObject({ id: b.id, uuid: b.uuid, distinct_ids: ['b', 'laptop', 'new'] });
    expect(restored_person.properties).toEqual({ b: 1, last: 'b', laptop: 1, colour: 'red' });
    expect(survivor).toMatchObject({ id: c.id, distinct_ids: ['a', 'c'], properties: { c: 1, a: 1, last: 'c' } });

    // The laptop was merged by an id of b, and so into b.
    const [laptop] = await merges(b.id);
    expect(laptop).toMatchObject({ survivor_id: b.id, can_undo: true, merged: { distinct_ids: ['laptop'] } });
    expect((await undone(b.id, laptop?.id ?? 0)).restored_person).toMatchObject({
      distinct_ids: ['laptop'],
      properties: { laptop: 1, last: 'laptop' },
    });
    expect(await people.get(b.id)).toMatchObject({
      distinct_ids: ['b', 'new'],
      properties: { b: 1, last: 'b', colour: 'red' },
    });
    expect((await merges(c.id)).map(({ merged, can_undo }) => [merged.distinct_ids, can_undo])).toEqual([
      [['a'], true],
      [['b'], false],
    ]);
    const [last] = await merges(c.id);
    expect((await undone(c.id, last?.id ?? 0)).restored_person).toEqual(a);
    expect(await people.get(c.id)).toEqual(c);
  });

  it('gives persons back the time at which they were created, though one request made and merged them', async () => {
    const at = (distinct_id: string, time: string, more: object = {}) => ({
      event: 'seen',
      distinct_id,
      timestamp: `2024-01-02T${time}:00Z`,
      ...more,
    });
    const batch = [at('ada', '12:00'), at('ada', '10:00'), at('bob', '13:00'), at('bob', '09:00')];
    const merging = at('ada', '14:00', { event: '$merge_dangerously', properties: { alias: 'bob' } });
    const body = { api_key: token, batch: [...batch, merging] };
    expect((await service.call('POST', '/batch', { key: null, body })).body).toMatchObject({ accepted: 5 });
    const ada = await personOf('ada');
    expect(ada.created_at).toBe('2024-01-02T12:00:00.000Z');
    const [merge] = await merges(ada.id);
    const { restored_person: bob, ...left } = await undone(ada.id, merge?.id ?? 0);
    expect([left.created_at, bob.created_at]).toEqual(['2024-01-02T12:00:00.000Z', '2024-01-02T13:00:00.000Z']);
  });

  it('gives static cohorts back, without those from which the person was removed since', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make(['bob'])];
    const cohort = async (name: string, ids: number[]): Promise<number> =>
      (
        (await people.call('POST', 'cohorts', { body: { name, is_static: true, person_ids: ids } })).body as {
          id: number;
        }
      ).id;
    const [both, only, removed] = [
      await cohort('both', [ada.id, bob.id]),
      await cohort('only bob', [bob.id]),
      await cohort('removed', [bob.id]),
    ];
    await people.call('POST', `persons/${ada.id}/merge`, { body: { persons: [bob.id] } });
    const added = await cohort('added', [ada.id]);
    await people.call('PATCH', `cohorts/${removed}/remove_person_from_static_cohort`, { body: { person_id: ada.id } });
    const cohortsOf = async (id: number): Promise<string[]> =>
      (
        (await people.call('GET', 'persons/cohorts', { query: { person_id: id } })).body as {
          results: { name: string }[];
        }
      ).results
        .map(({ name }) => name)
        .sort();
    expect(await cohortsOf(ada.id)).toEqual(['added', 'both', 'only bob']);
    const [merge] = await merges(ada.id);
    await undone(ada.id, merge?.id ?? 0);
    expect(await cohortsOf(ada.id)).toEqual(['added', 'both']);
    expect(await cohortsOf(bob.id)).toEqual(['both', 'only bob']);
    const membersOf = async (id: number): Promise<number[]> =>
      ((await people.call('GET', `cohorts/${id}/persons`)).body as { results: PersonDto[] }).results
        .map((person) => person.id)
        .sort((a, b) => a - b);
    expect(await Promise.all([both, only, removed, added].map(membersOf))).toEqual([
      [ada.id, bob.id].sort((a, b) => a - b),
      [bob.id],
      [],
      [ada.id],
    ]);
  });

  it('is refused with the reason when an id was split off or deleted since', async () => {
    const [ada] = [await people.make(['ada']), await people.make(['bob', 'bob-2']), await people.make(['cy'])];
    await people.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['bob', 'cy'] } });
    const [cy, bob] = await merges(ada.id);
    await people.call('POST', `persons/${ada.id}/split`, { body: { distinct_ids_to_split: ['bob-2'] } });
    const reason = 'a distinct id that came with the merged person was split off since';
    expect(await merges(ada.id)).toMatchObject([
      { id: cy?.id, can_undo: true },
      { id: bob?.id, can_undo: false, why_not: expect.stringContaining(reason) },
    ]);
    expect(problem(await undo(ada.id, bob?.id ?? 0))).toEqual([409, 'conflict', expect.stringContaining(reason)]);
    await people.call('DELETE', `persons/${(await personOf('bob-2')).id}`);
    const deleted = 'a distinct id that came with the merged person was deleted since';
    expect(problem(await undo(ada.id, bob?.id ?? 0))).toEqual([409, 'conflict', expect.stringContaining(deleted)]);
    await undone(ada.id, cy?.id ?? 0);
    expect(problem(await undo(ada.id, 999_999))).toEqual([404, 'not_found', expect.stringContaining('/merges')]);
    expect(problem(await undo(ada.id, 'x'))).toEqual([400, 'invalid_input', expect.stringContaining('merge_id')]);
    expect(problem(await undo(999_999, cy?.id ?? 0)).slice(0, 2)).toEqual([404, 'not_found']);
  });
});

describe('the records of merges', () => {
  const marker = 'trace4711';
  const rows = async (): Promise<string[]> => {
    const found: string[] = [];
    for (const table of ['person_merges', 'person_merge_ids', 'person_splits', 'person_split_ids']) {
      const { rows: lines } = await service.pool.query<{ line: string }>(
        `SELECT t::text AS line FROM ${table} AS t WHERE project_id = $1 AND strpos(t::text, $2) > 0`,
        [people.projectId, marker],
      );
      found.push(...lines.map(() => table));
    }
    return found;
  };

  it('keep nothing of a deleted person, nor of one that was merged into it', async () => {
    const ada = await people.make(['ada']);
    await people.make([`${marker}-bob`], { email: `${marker}@example.test` });
    await people.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: [`${marker}-bob`] } });
    await people.call('POST', `persons/${ada.id}/split`, { body: { distinct_ids_to_split: [`${marker}-bob`] } });
    expect(await rows()).toEqual(['person_merges', 'person_merge_ids', 'person_splits', 'person_split_ids']);
    await people.call('POST', 'persons/bulk_delete', { body: { distinct_ids: ['ada', `${marker}-bob`] } });
    expect(await rows()).toEqual([]);
  });

  it('keep nothing of a person that was deleted after its merge was undone, and later merges say so', async () => {
    const [ada, bob] = [await people.make(['ada']), await people.make([`${marker}-bob`], { nick: marker })];
    const cy = await people.make(['cy']);
    await people.call('POST', `persons/${ada.id}/merge`, { body: { persons: [bob.id] } });
    await people.call('POST', `persons/${cy.id}/merge`, { body: { persons: [ada.id] } });
    const [second, first] = await merges(cy.id);
    await undone(cy.id, first?.id ?? 0);
    // The record of the second merge has the properties of ada at that moment, with those of bob.
    expect(await rows()).toEqual(['person_merges', 'person_merges', 'person_merge_ids']);
    await people.call('DELETE', `persons/${bob.id}`);
    expect(await rows()).toEqual([]);
    const reason = 'a person whose properties the record contained was deleted since';
    expect(await merges(cy.id)).toMatchObject([{ id: second?.id, can_undo: false, why_not: reason }]);
    expect(problem(await undo(cy.id, second?.id ?? 0))).toEqual([409, 'conflict', expect.stringContaining(reason)]);
  });

  it('are used for 90 days', async () => {
    const [ada] = [await people.make(['ada', 'ada-2']), await people.make(['bob'])];
    await people.call('POST', `persons/${ada.id}/merge`, { body: { distinct_ids: ['bob'] } });
    await people.call('POST', `persons/${ada.id}/split`, { body: { distinct_ids_to_split: ['ada-2'] } });
    for (const [table, column] of [
      ['person_merges', 'merged_at'],
      ['person_splits', 'split_at'],
    ] as const)
      await service.pool.query(
        `UPDATE ${table} SET ${column} = (${column} AT TIME ZONE 'UTC' - interval '90 days 1 second') AT TIME ZONE 'UTC' WHERE project_id = $1`,
        [people.projectId],
      );
    const [merge] = await merges(ada.id);
    expect(merge).toMatchObject({ can_undo: false, why_not: 'the merge is older than 90 days' });
    expect(problem(await undo(ada.id, merge?.id ?? 0))).toEqual([409, 'conflict', expect.stringContaining('90 days')]);
    const split = problem(await people.call('POST', `persons/${ada.id}/split/undo`));
    expect(split).toEqual([404, 'not_found', expect.stringContaining('90 days')]);
  });

  it('of another project are those of no person', async () => {
    const ada = await people.make(['ada']);
    const other = new PersonsOf(service, (await service.newProject()).id);
    const [theirs] = [await other.make(['eve']), await other.make(['mallory'])];
    await other.call('POST', `persons/${theirs.id}/merge`, { body: { distinct_ids: ['mallory'] } });
    const [merge] = ((await other.call('GET', `persons/${theirs.id}/merges`)).body as { results: PersonMergeDto[] })
      .results;
    expect(problem(await undo(ada.id, merge?.id ?? 0)).slice(0, 2)).toEqual([404, 'not_found']);
    expect(problem(await undo(theirs.id, merge?.id ?? 0)).slice(0, 2)).toEqual([404, 'not_found']);
  });
});

describe('POST persons/{id}/split/undo', () => {
  it('makes the persons of the split part of the person again, with what was set since in the order it was set', async () => {
    await set('ada', { plan: 'pro', city: 'Ulm' });
    await send('$create_alias', 'ada', { alias: 'ada-2' });
    await send('looked', 'ada-2');
    await send('bought', 'ada');
    const ada = await personOf('ada');
    await people.call('POST', `persons/${ada.id}/split`, { body: { distinct_ids_to_split: ['ada-2'] } });
    expect(await insights()).toEqual({ funnel: [1, 0], active: 1 });
    await set('ada', { city: 'Bonn' });
    await set('ada-2', { city: 'Köln', size: 3 });
    const part = await personOf('ada-2');
    const answer = await people.call('POST', `persons/${ada.id}/split/undo`);
    const { merged_persons, ...person } = answer.body as PersonDto & { merged_persons: unknown };
    expect([answer.status, merged_persons]).toEqual([200, [{ id: part.id, uuid: part.uuid }]]);
    expect(person).toEqual({ ...ada, properties: { plan: 'pro', city: 'Köln', size: 3 } });
    expect(await people.get(ada.id)).toEqual(person);
    expect(await insights()).toEqual({ funnel: [1, 1], active: 1 });
    expect(problem(await people.call('GET', `persons/${part.id}`)).slice(0, 2)).toEqual([404, 'merged']);
    expect((await people.activity()).map(({ activity, item_id }) => `${activity} ${item_id}`).sort()).toEqual([
      `merged_into ${part.id}`,
      `split_person ${ada.id}`,
      `undo_split ${ada.id}`,
    ]);
    expect(problem(await people.call('POST', `persons/${ada.id}/split/undo`)).slice(0, 2)).toEqual([404, 'not_found']);
  });
});
