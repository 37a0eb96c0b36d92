import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type MembershipsDto } from '../../src/cohorts/membership/membership.dto.js';
import { all, CohortsOf, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let of: CohortsOf;
let pros: number;
let list: number;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

beforeEach(async () => {
  of = new CohortsOf(service, (await service.newProject()).id);
  await importLines(service, of.projectId, [
    personLine(['ada', 'ada-2'], { plan: 'pro' }),
    personLine('bob', { plan: 'free' }),
  ]);
  pros = (await of.create({ name: 'Pros', filters: all(where('plan', 'pro')) })).id;
  list = (await of.create({ name: 'List', is_static: true, distinct_ids: ['bob'] })).id;
});

const check = async (body: object): Promise<MembershipsDto> => {
  const answer = await of.call('POST', 'cohorts/membership', { body });
  expect([answer.status, answer.body]).toEqual([200, answer.body]);
  return answer.body as MembershipsDto;
};

const idOf = async (distinctId: string): Promise<{ id: number; uuid: string }> => {
  const { body } = await of.call('GET', 'persons', { query: { distinct_id: distinctId } });
  return (body as { results: { id: number; uuid: string }[] }).results[0] as { id: number; uuid: string };
};

describe('the membership of persons', () => {
  it('is answered for each distinct id, in their order', async () => {
    const [ada, bob] = [await idOf('ada'), await idOf('bob')];
    const { results, cohorts } = await check({
      distinct_ids: ['bob', 'nobody-yet', 'ada-2', 'bob'],
      cohorts: [list, pros],
    });
    expect(results).toEqual([
      { given: 'bob', person_id: bob.id, cohorts: [list] },
      { given: 'nobody-yet', person_id: null, cohorts: [] },
      { given: 'ada-2', person_id: ada.id, cohorts: [pros] },
      { given: 'bob', person_id: bob.id, cohorts: [list] },
    ]);
    expect(cohorts.map(({ id }) => id)).toEqual([pros, list]);
  });

  it('is answered to each of many callers at once, who ask for different persons and cohorts', async () => {
    const { id: other } = await service.newProject();
    const questions = Array.from({ length: 30 }, (_, n) => ({
      distinct_ids: [['ada', 'bob', `nobody-${n}`][n % 3] ?? ''],
      cohorts: n % 2 === 0 ? [pros] : [list, pros],
    }));
    const path = 'cohorts/membership';
    const [answers, unknown, foreign] = await Promise.all([
      Promise.all(questions.map(check)),
      of.call('POST', path, { body: { distinct_ids: ['ada'], cohorts: [999_999] } }),
      new CohortsOf(service, other).call('POST', path, { body: { distinct_ids: ['ada'], cohorts: [pros] } }),
    ]);
    expect(answers.map(({ results }) => results.map(({ given, cohorts }) => [given, ...cohorts]))).toEqual(
      questions.map(({ distinct_ids: [id], cohorts }) => [
        [id, ...(id === 'ada' ? [pros] : id === 'bob' && cohorts.includes(list) ? [list] : [])],
      ]),
    );
    expect([unknown.status, foreign.status]).toEqual([400, 400]);
  });

  it('is not kept from a caller by an id beside it that PostgreSQL refuses', async () => {
    const ask = (id: string) =>
      of.call('POST', 'cohorts/membership', { body: { distinct_ids: [id], cohorts: [list] } });
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => ask(n % 2 === 0 ? 'bob' : 'b\0b')));
    const expected = [
      { status: 200, body: { results: [{ given: 'bob', cohorts: [list] }] } },
      { status: 400, body: { attr: 'distinct_ids', detail: expect.stringContaining('NUL') } },
    ];
    expect(answers).toMatchObject(answers.map((_, n) => expected[n % 2]));
  });

  it('is answered for ids and uuids, also for a merged person', async () => {
    const [ada, bob] = [await idOf('ada'), await idOf('bob')];
    await of.call('POST', `persons/${bob.id}/merge`, { body: { distinct_ids: ['ada'] } });
    const { results } = await check({ person_ids: [ada.id, ada.uuid, bob.uuid, 999_999_999], cohorts: [pros, list] });
    expect(results).toEqual([
      { given: ada.id, person_id: bob.id, cohorts: [pros, list] },
      { given: ada.uuid, person_id: bob.id, cohorts: [pros, list] },
      { given: bob.uuid, person_id: bob.id, cohorts: [pros, list] },
      { given: 999_999_999, person_id: null, cohorts: [] },
    ]);
  });

  it('has a tag for each cohort, which changes with its members only', async () => {
    const tags = async () => (await check({ distinct_ids: ['ada'], cohorts: [pros, list] })).cohorts;
    const [first, second] = await tags();
    await of.recalculate(pros);
    expect(await tags()).toEqual([first, second]);
    await of.call('PATCH', `cohorts/${list}/add_persons_to_static_cohort`, { body: { distinct_ids: ['ada'] } });
    const [same, other] = await tags();
    expect([same, other?.id, other?.etag === second?.etag]).toEqual([first, list, false]);
  });

  it.each([
    [{ cohorts: [1] }, 'distinct_ids', /distinct_ids/],
    [{ distinct_ids: ['ada'], person_ids: [1], cohorts: [1] }, 'person_ids', /either/],
    [{ distinct_ids: [], cohorts: [1] }, 'distinct_ids', /empty/],
    [{ distinct_ids: ['ada'] }, 'cohorts', /cohorts/],
    [{ distinct_ids: ['ada'], cohorts: [999_999] }, 'cohorts.0', /no cohort 999999/],
    [{ person_ids: ['ada'], cohorts: [1] }, 'person_ids.0', /uuid/],
    [{ distinct_ids: Array.from({ length: 1001 }, () => 'a'), cohorts: [1] }, 'distinct_ids', /1000/],
    [{ distinct_ids: ['a'], cohorts: Array.from({ length: 101 }, () => 1) }, 'cohorts', /100/],
  ])('is refused for %j', async (body, attr, detail) => {
    const answer = await of.call('POST', 'cohorts/membership', { body });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, attr]);
    expect((answer.body as { detail: string }).detail).toMatch(detail);
  });
});
