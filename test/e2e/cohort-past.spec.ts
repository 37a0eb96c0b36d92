import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { type CohortHistoryDto } from '../../src/cohorts/changes/history.dto.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;
let ids: Record<string, number>;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(service, of.projectId, [
    personLine('ada', { plan: 'pro' }),
    personLine('bob', { plan: 'free' }),
    personLine('cy', { plan: 'pro' }),
  ]);
  const { body } = await of.call('GET', 'persons');
  const { results } = body as { results: { id: number; distinct_ids: string[] }[] };
  ids = Object.fromEntries(results.map(({ id, distinct_ids: [name = ''] }) => [name, id]));
});

/** A moment that lies between what was done before and what is done next. */
const moment = async (): Promise<string> => {
  await sleep(20);
  const now = new Date().toISOString();
  await sleep(20);
  return now;
};

const set = (distinctId: string, properties: object) =>
  of.call('PATCH', `persons/${ids[distinctId]}`, { body: { properties } });

const cohortsOf = async (distinctId: string, query: Record<string, string> = {}): Promise<string[]> => {
  const { body } = await of.call('GET', 'persons/cohorts', { query: { distinct_id: distinctId, ...query } });
  return (body as { results: { name: string }[] }).results.map(({ name }) => name);
};

describe('the members of a cohort at an earlier moment', () => {
  it('are listed, in pages and as CSV, and answered for one person', async () => {
    const { id: cohort } = await of.create({ name: 'Pros', filters: all(where('plan', 'pro')) });
    const first = await moment();
    await set('ada', { plan: 'free' });
    await set('bob', { plan: 'pro' });
    await of.recalculate(cohort);
    const second = await moment();
    await of.call('PATCH', `persons/${ids.bob}`, { body: { properties: { plan: 'free' } } });
    await of.recalculate(cohort);

    expect(await of.names(cohort)).toEqual(['cy']);
    expect(await of.names(cohort, { as_of: first, limit: 1 })).toEqual(['ada', 'cy']);
    expect(await of.names(cohort, { as_of: second })).toEqual(['bob', 'cy']);
    expect(await of.names(cohort, { as_of: second, search: 'bob' })).toEqual(['bob']);
    const csv = await of.call('GET', `cohorts/${cohort}/persons`, { query: { as_of: first, format: 'csv' } });
    expect(csv.text.split('\r\n')).toHaveLength(4);

    expect([await cohortsOf('bob'), await cohortsOf('bob', { as_of: second })]).toEqual([[], ['Pros']]);
    expect(await cohortsOf('bob', { as_of: first })).toEqual([]);
    const explained = async (as_of: string) =>
      (await of.call('GET', `cohorts/${cohort}/explain`, { query: { person_id: String(ids.ada), as_of } })).body;
    expect(await explained(first)).toMatchObject({ member: true });
    expect(await explained(second)).toMatchObject({ member: false });
  });

  it('are none before the cohort was made', async () => {
    const before = await moment();
    const { id: cohort } = await of.create({ name: 'Pros', filters: all(where('plan', 'pro')) });
    expect(await of.names(cohort, { as_of: before })).toEqual([]);
  });

  it('are shown as they are now: merged persons as the other one, deleted ones not at all', async () => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada', 'cy'] });
    const then = await moment();
    await of.call('POST', `persons/${ids.bob}/merge`, { body: { distinct_ids: ['ada'] } });
    await of.call('DELETE', `persons/${ids.cy}`);
    expect((await of.members(cohort, { as_of: then })).map(({ id }) => id)).toEqual([ids.bob]);
    expect(await cohortsOf('bob', { as_of: then })).toEqual(['List']);
  });

  it.each([
    ['-7d', /date or a moment/],
    ['2099-01-01', /future/],
  ])('are refused for %s', async (asOf, detail) => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada'] });
    const answer = await of.call('GET', `cohorts/${cohort}/persons`, { query: { as_of: asOf } });
    expect([answer.status, answer.body]).toMatchObject([400, { attr: 'as_of' }]);
    expect((answer.body as { detail: string }).detail).toMatch(detail);
  });

  it('are unknown before changes were recorded', async () => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada'] });
    await service.pool.query(
      `UPDATE cohorts SET created_at = now() - interval '9 days', changes_from = now() WHERE project_id = $1 AND id = $2`,
      [of.projectId, cohort],
    );
    const asOf = new Date(Date.now() - 86_400_000).toISOString();
    const answer = await of.call('GET', `cohorts/${cohort}/persons`, { query: { as_of: asOf } });
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { attr: 'as_of', detail: expect.stringMatching(/not known/) },
    ]);
  });
});

describe('the history of a cohort', () => {
  it('has the size of each day, and who entered and left', async () => {
    const { id: cohort } = await of.create({ name: 'List', is_static: true, distinct_ids: ['ada', 'cy'] });
    await of.call('PATCH', `cohorts/${cohort}/add_persons_to_static_cohort`, { body: { distinct_ids: ['bob'] } });
    await of.call('PATCH', `cohorts/${cohort}/remove_person_from_static_cohort`, { body: { person_id: ids.ada } });
    // As if the cohort had been made two days ago, and its first members had entered then.
    await service.pool.query(
      `UPDATE cohorts SET created_at = (created_at AT TIME ZONE 'UTC' - interval '2 days') AT TIME ZONE 'UTC',
         changes_from = (changes_from AT TIME ZONE 'UTC' - interval '2 days') AT TIME ZONE 'UTC'
       WHERE project_id = $1 AND id = $2`,
      [of.projectId, cohort],
    );
    await service.pool.query(
      `UPDATE cohort_changes SET at = (at AT TIME ZONE 'UTC' - interval '2 days') AT TIME ZONE 'UTC' WHERE project_id = $1 AND cohort_id = $2 AND reason = 'uploaded'`,
      [of.projectId, cohort],
    );
    const { body } = await of.call('GET', `cohorts/${cohort}/history`, { query: { days: 10 } });
    const { results } = body as CohortHistoryDto;
    const days = results.map(({ size, entered, left }) => [size, entered, left]);
    expect(days).toEqual([
      [2, 2, 0],
      [2, 0, 0],
      [2, 1, 1],
    ]);
  });
});
