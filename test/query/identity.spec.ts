import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { Questions } from './asking.js';
import { captured } from './questions/scene.js';

let service: ServiceHandle;
let questions: Questions;
let people: PersonsOf;

beforeAll(async () => {
  service = await sharedService();
  questions = new Questions(service, service.project.id);
  people = new PersonsOf(service, service.project.id);
});

afterAll(() => service.stop());

const send = (distinct_id: string, event: string, clock: string, more: object = {}): Promise<void> =>
  captured(service, service.project, [{ distinct_id, event, timestamp: `2024-01-01T${clock}:00Z`, ...more }]);

/** What five tables say of who is who. */
const counted = async () => {
  const [[persons, withIds, actors, owned, sessions, plans]] = (await questions.rows(`select
    (select count() from persons),
    (select count(distinct person_id) from person_distinct_ids),
    (select count(distinct person_id) from events),
    (select count() from events e join persons p on p.id = e.person_id),
    (select count() from sessions),
    (select count() from events where person.properties.plan = 'free')`)) as [number[]];
  return { persons, withIds, actors, owned, sessions, plans };
};

describe('merges and splits', () => {
  it('are counted apart at first', async () => {
    await send('anon', '$pageview', '10:00');
    await send('bob', 'signed up', '10:20', { $set: { plan: 'free' } });
    await send('cyd', '$pageview', '10:20');
    expect(await counted()).toEqual({ persons: 3, withIds: 3, actors: 3, owned: 3, sessions: 3, plans: 1 });
  });

  it('are one person after a merge, with all their events, in one session', async () => {
    await send('bob', '$identify', '10:21', { properties: { $anon_distinct_id: 'anon' } });
    expect(await counted()).toEqual({ persons: 2, withIds: 2, actors: 2, owned: 4, sessions: 2, plans: 3 });
    const rows = await questions.rows(
      `select p.name, count(), arraySort(groupUniqArray(e.distinct_id)) from events e join persons p on p.id = e.person_id
       group by p.name order by p.name`,
    );
    const { name } = await people.ofDistinctId('bob');
    expect(rows).toEqual([
      [name, 3, ['anon', 'bob']],
      ['cyd', 1, ['cyd']],
    ]);
    const ids = await questions.rows(
      `select d.distinct_id from person_distinct_ids d where d.person_id in
         (select person_id from events where distinct_id = 'anon') order by 1`,
    );
    expect(ids).toEqual([['anon'], ['bob']]);
  });

  it('are two again after a split, past events and later ones', async () => {
    const bob = await people.ofDistinctId('bob');
    const split = await people.call('POST', `persons/${bob.id}/split`, { body: { distinct_ids_to_split: ['anon'] } });
    expect(split.status).toBe(200);
    expect(await counted()).toEqual({ persons: 3, withIds: 3, actors: 3, owned: 4, sessions: 3, plans: 2 });
    await send('anon', 'purchased', '10:25');
    expect(await counted()).toEqual({ persons: 3, withIds: 3, actors: 3, owned: 5, sessions: 3, plans: 2 });
  });

  it('are followed by a second merge the other way', async () => {
    await send('cyd', '$merge_dangerously', '10:40', { properties: { alias: 'bob' } });
    expect(await counted()).toEqual({ persons: 2, withIds: 2, actors: 2, owned: 6, sessions: 2, plans: 4 });
  });

  it('leave events without a person once the person is deleted', async () => {
    const cyd = await people.ofDistinctId('cyd');
    expect((await people.call('DELETE', `persons/${cyd.id}`)).status).toBe(204);
    // The events of cyd and bob are still there, each id for itself.
    const after = await counted();
    expect(after).toMatchObject({ persons: 1, withIds: 1, owned: 2, plans: 0 });
    expect(await questions.rows('select count() from events')).toEqual([[6]]);
  });
});
