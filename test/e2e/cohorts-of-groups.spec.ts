import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type CohortChangesDto, type CohortGroupChangesDto } from '../../src/cohorts/changes/changes.dto.js';
import { type ExplanationDto, type PreviewDto } from '../../src/cohorts/preview/preview.dto.js';
import { type MembershipsDto } from '../../src/cohorts/membership/membership.dto.js';
import { type UploadReportDto } from '../../src/cohorts/record/upload.dto.js';
import { type GroupDto } from '../../src/groups/group.dto.js';
import { type PersonDto } from '../../src/persons/person.dto.js';
import { CohortsOf, all, did, isIn, where } from '../support/cohorts/cohorts-of.js';
import { GroupsOf, describes } from '../support/groups.js';
import { importLines, personLine } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const day = '2026-03-01';
const within = { explicit_datetime: day, explicit_datetime_to: '2026-03-02' };
const ofCompanies = { actor: 'group', group_type_index: 0 };
const company = (key: string, value: unknown, more: object = {}) => ({
  ...{ type: 'group', group_type_index: 0, key, value },
  ...more,
});

const event = (distinct_id: string, name: string, groups: object) => ({
  ...{ type: 'event', event: name, distinct_id, timestamp: `${day}T10:00:00Z` },
  properties: { $groups: groups },
});
const described = (type: string, key: string, properties: object) => ({
  ...{ type: 'event', timestamp: `${day}T09:00:00Z` },
  ...describes(type, key, properties),
});

/** acme: three persons are active and nobody paid; bolt: one is, and paid; core: one event, no properties. */
const scene = async (): Promise<{ of: CohortsOf; groups: GroupsOf }> => {
  const { id } = await service.newProject();
  const of = new CohortsOf(service, id);
  await importLines(service, id, [
    ...['ada', 'bob', 'cy', 'dee', 'eve'].map((name) => personLine(name, {})),
    described('company', 'acme', { plan: 'pro', seats: 10 }),
    described('company', 'bolt', { plan: 'pro', seats: 2 }),
    described('project', 'acme', { plan: 'free' }),
    ...['ada', 'ada', 'bob', 'cy'].map((who) => event(who, 'opened', { company: 'acme', project: 'acme' })),
    ...['dee', 'dee', 'dee', 'dee'].map((who) => event(who, 'opened', { company: 'bolt' })),
    event('dee', 'paid', { company: 'bolt' }),
    event('eve', 'opened', { company: 'core' }),
  ]);
  return { of, groups: new GroupsOf(service, id) };
};

const personOf = async (of: CohortsOf, distinctId: string): Promise<PersonDto> => {
  const { body } = await of.call('GET', 'persons', { query: { distinct_id: distinctId } });
  const [found] = (body as { results: PersonDto[] }).results;
  if (!found) throw new Error(`there is no ${distinctId}`);
  return found;
};

const previewed = async (of: CohortsOf, ...criteria: object[]): Promise<string[]> => {
  const body = { ...ofCompanies, filters: all(...criteria) };
  const answer = await of.call('POST', 'cohorts/preview', { body });
  if (answer.status !== 200) throw new Error(answer.text);
  const { count, results, groups = [] } = answer.body as PreviewDto;
  expect([count, results]).toEqual([groups.length, []]);
  return groups.map(({ group_key: key }) => key).sort();
};

const feed = async (of: CohortsOf, id: number, query: Record<string, string> = {}): Promise<CohortGroupChangesDto> => {
  const answer = await of.call('GET', `cohorts/${id}/group_changes`, { query });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body as CohortGroupChangesDto;
};
const told = ({ results }: CohortGroupChangesDto) =>
  results.map(({ change, reason, group }) => [change, reason, group.group_key]);

const trends = {
  ...{ events: JSON.stringify([{ id: 'opened', math: 'total' }]), date_from: day, date_to: day },
  ...{ display: 'BoldNumber', include: 'insight' },
};

describe('a cohort whose members are groups', () => {
  it('has the groups that have properties, and did things, whoever of them did', async () => {
    const { of } = await scene();
    expect(await previewed(of, company('plan', 'pro'))).toEqual(['acme', 'bolt']);
    // A filter without a type is one on the group.
    expect(await previewed(of, { key: 'plan', value: 'pro', negation: true })).toEqual(['core']);
    expect(await previewed(of, company('$group_key', ['core', 'acme', 'gone']))).toEqual(['acme', 'core']);
    expect(await previewed(of, did('paid', within))).toEqual(['bolt']);
    expect(await previewed(of, did('paid', { ...within, negation: true }))).toEqual(['acme', 'core']);
    const often = { ...within, value: 'performed_event_multiple', operator: 'gte' };
    expect(await previewed(of, did('opened', { ...often, operator_value: 4 }))).toEqual(['acme', 'bolt']);
    const persons = { ...often, count_of: 'persons', operator_value: 3 };
    expect(await previewed(of, did('opened', persons))).toEqual(['acme']);
    const regularly = {
      ...{ value: 'performed_event_regularly', count_of: 'persons', operator: 'gte', operator_value: 3 },
      ...{ time_value: 1, time_interval: 'year', min_periods: 1, total_periods: 100 },
    };
    expect(await previewed(of, did('opened', regularly))).toEqual(['acme']);
    expect(await previewed(of, did('opened', { ...regularly, operator_value: 1 }))).toEqual(['acme', 'bolt', 'core']);
    expect(await previewed(of, did('opened', { ...regularly, count_of: 'events' }))).toEqual(['acme', 'bolt']);
    // Merged persons are one.
    const merging = { body: { distinct_ids: ['bob'] } };
    expect((await of.call('POST', `persons/${(await personOf(of, 'ada')).id}/merge`, merging)).status).toBe(200);
    expect(await previewed(of, did('opened', persons))).toEqual([]);
    expect(await previewed(of, did('opened', { ...persons, operator_value: 2 }))).toEqual(['acme']);
    expect(await previewed(of, did('opened', regularly))).toEqual([]);
    expect(await previewed(of, did('opened', { ...regularly, operator_value: 2 }))).toEqual(['acme']);
  });

  it('is listed, counted, explained and found by its members', async () => {
    const { of, groups } = await scene();
    const pros = await of.create({ ...ofCompanies, filters: all(company('plan', 'pro')) });
    expect(pros).toMatchObject({ ...ofCompanies, count: 2, is_static: false });
    const nested = await of.create({ ...ofCompanies, filters: all(isIn(pros.id), did('paid', within)) });
    const persons = await of.create({ filters: all(isIn(pros.id)) });
    expect([await of.groupKeys(pros.id), await of.groupKeys(nested.id)]).toEqual([['acme', 'bolt'], ['bolt']]);
    expect(persons).toMatchObject({ actor: 'person', group_type_index: null });
    expect(await of.names(persons.id)).toEqual(['ada', 'bob', 'cy', 'dee']);
    const others = await of.create({ filters: all(isIn(pros.id, { negation: true })) });
    expect(await of.names(others.id)).toEqual(['eve']);
    expect(await of.groupKeys(pros.id, { search: 'bol' })).toEqual(['bolt']);
    const csv = await of.call('GET', `cohorts/${pros.id}/groups`, { query: { format: 'csv' } });
    expect(csv.text.split('\r\n')).toHaveLength(4);

    const ids = async (query: Record<string, string | number>) => {
      const { body } = await of.call('GET', 'cohorts', { query });
      return (body as { results: { id: number }[] }).results.map(({ id }) => id).sort((a, b) => a - b);
    };
    expect(await ids({ actor: 'group' })).toEqual([pros.id, nested.id]);
    expect(await ids({ actor: 'person' })).toEqual([persons.id, others.id]);
    expect(await ids({ group_type_index: 1 })).toEqual([]);

    const bolt = await groups.find('bolt');
    const joined = await of.call('GET', `groups/${bolt.id}/cohorts`);
    expect((joined.body as { results: { id: number }[] }).results.map(({ id }) => id)).toEqual([nested.id, pros.id]);
    const explain = async (query: Record<string, string | number>) =>
      (await of.call('GET', `cohorts/${nested.id}/explain`, { query })).body as ExplanationDto;
    expect(await explain({ group_key: 'bolt' })).toMatchObject({
      ...{ member: true, holds: true },
      criteria: [
        { type: 'cohort', held: true, seen: true },
        { type: 'behavioral', held: true, seen: { times: 1 } },
      ],
    });
    expect(await explain({ group_id: (await groups.find('acme')).id })).toMatchObject({
      ...{ member: false, holds: false },
      criteria: [{ held: true }, { held: false, seen: { times: 0 } }],
    });
    const check = async (body: object) =>
      (await of.call('POST', 'cohorts/membership', { body: { ...body, cohorts: [pros.id, nested.id] } }))
        .body as MembershipsDto;
    expect((await check({ group_keys: ['acme', 'gone'], group_type_index: 0 })).results).toEqual([
      { given: 'acme', person_id: null, group_id: (await groups.find('acme')).id, cohorts: [pros.id] },
      { given: 'gone', person_id: null, group_id: null, cohorts: [] },
    ]);
    expect((await check({ group_ids: [bolt.id] })).results).toMatchObject([{ cohorts: [pros.id, nested.id] }]);
    const history = await of.call('GET', `cohorts/${pros.id}/history`, { query: { days: 1 } });
    expect(history.body).toMatchObject({ results: [{ size: 2, entered: 2, left: 0 }] });
  });

  it('filters questions about events by the group that they name, and the list of groups', async () => {
    const { of } = await scene();
    const pros = await of.create({ ...ofCompanies, filters: all(company('plan', 'pro')) });
    const fixed = await of.create({ ...ofCompanies, is_static: true, group_keys: ['core'] });
    const opened = async (filter: object, more: Record<string, number> = {}) => {
      const asked = { ...trends, properties: JSON.stringify([filter]), ...more };
      const { status, body, text } = await of.call('GET', 'persons/trends', { query: asked });
      if (status !== 200) throw new Error(text);
      return (body as { insight: { series: { aggregated_value: number }[] } }).insight.series[0]?.aggregated_value;
    };
    expect(await opened(isIn(pros.id))).toBe(8);
    expect(await opened(isIn(fixed.id))).toBe(1);
    expect(await opened(isIn(pros.id, { negation: true }))).toBe(1);
    expect(await opened(isIn(pros.id), { aggregation_group_type_index: 0 })).toBe(8);
    const listed = async (query: Record<string, string | number>) => {
      const { body } = await of.call('GET', 'groups', { query: { group_type_index: 0, ...query } });
      return (body as { results: GroupDto[] }).results.map(({ group_key: key }) => key).sort();
    };
    expect(await listed({ cohort: pros.id })).toEqual(['acme', 'bolt']);
    expect(
      await listed({ properties: JSON.stringify([isIn(pros.id), company('seats', 5, { operator: 'gt' })]) }),
    ).toEqual(['acme']);
    const ask = async (query: string) => {
      const { body, status, text } = await of.call('POST', 'query', { body: { query } });
      return status === 200 ? (body as { results: unknown[][] }).results : text;
    };
    expect(await ask(`SELECT cohort_id, index, key FROM cohort_groups ORDER BY 1, 3`)).toEqual([
      [pros.id, 0, 'acme'],
      [pros.id, 0, 'bolt'],
      [fixed.id, 0, 'core'],
    ]);
    expect(await ask('SELECT count() FROM cohort_people')).toEqual([[0]]);
    expect(
      await ask(
        `SELECT count() FROM events WHERE $group_0 IN (SELECT key FROM cohort_groups WHERE cohort_id = ${fixed.id})`,
      ),
    ).toEqual([[1]]);
    expect(await ask(`SELECT count() FROM events WHERE person_id IN COHORT ${pros.id}`)).toContain(
      `Cohort ${pros.id} has groups, not persons`,
    );
  });

  it('is listed by hand, by a file or by a question in SQL', async () => {
    const { of, groups } = await scene();
    const acme = await groups.find('acme');
    const fixed = await of.create({
      ...ofCompanies,
      is_static: true,
      group_ids: [acme.id],
      group_keys: ['bolt', 'gone'],
    });
    expect([fixed.count, fixed.upload]).toEqual([2, { rows: 3, matched: 2, unknown: 1, duplicates: 0 }]);
    const report = (await of.call('GET', `cohorts/${fixed.id}/upload`)).body as UploadReportDto;
    expect(report.unmatched).toEqual([{ attr: 'group_keys.1', line: null, value: 'gone' }]);
    const { body: uploaded } = await of.upload(
      'PATCH',
      `cohorts/${fixed.id}?wait=30`,
      {},
      'name;group_key\r\nC;core\r\n',
    );
    expect(uploaded).toMatchObject({ count: 3, upload: { rows: 1, matched: 1 } });
    const change = (path: string, body: object) => of.call('PATCH', `cohorts/${fixed.id}/${path}`, { body });
    expect((await change('remove_person_from_static_cohort', { group_key: 'acme' })).body).toEqual({ success: true });
    expect(await of.groupKeys(fixed.id)).toEqual(['bolt', 'core']);
    expect((await change('add_persons_to_static_cohort', { group_keys: ['acme'] })).status).toBe(200);
    expect((await change('remove_person_from_static_cohort', { group_id: acme.id })).status).toBe(200);
    const changes = told(await feed(of, fixed.id, { order: 'newest' }));
    expect(changes.slice(0, 4)).toEqual([
      ['left', 'removed', 'acme'],
      ['entered', 'added', 'acme'],
      ['left', 'removed', 'acme'],
      ['entered', 'uploaded', 'core'],
    ]);
    // These two entered together, in the order of their ids.
    expect(
      changes
        .slice(4)
        .map(([, , key]) => key)
        .sort(),
    ).toEqual(['acme', 'bolt']);
    const copy = await of.call('GET', `cohorts/${fixed.id}/duplicate_as_static_cohort`);
    expect(copy.body).toMatchObject({ ...ofCompanies, count: 2 });

    const query =
      "SELECT $group_0 AS group_key FROM events WHERE event = 'opened' GROUP BY 1 HAVING uniq(person_id) = 1";
    const { body: preview } = await of.call('POST', 'cohorts/preview', { body: { ...ofCompanies, query } });
    // In the order of their ids, which are given in the order of a hash.
    expect((preview as PreviewDto).groups?.map(({ group_key: key }) => key).sort()).toEqual(['bolt', 'core']);
    const asked = await of.create({ ...ofCompanies, is_static: true, query });
    expect(await of.groupKeys(asked.id)).toEqual(['bolt', 'core']);
    // The project of the same key is no company.
    const keys = "SELECT key FROM groups WHERE properties.plan = 'free'";
    expect((await of.change(asked.id, { query: keys })).count).toBe(1);
    expect(await of.groupKeys(asked.id)).toEqual(['acme']);
    const lacking = await of.call('PATCH', `cohorts/${asked.id}`, { body: { query: 'SELECT person_id FROM events' } });
    expect([lacking.status, lacking.text]).toEqual([
      400,
      expect.stringContaining('Groups come from a column group_id'),
    ]);
  });
});

describe('the groups behind a number', () => {
  it('are named by their uuids in static cohorts, as their list gives them', async () => {
    const { of } = await scene();
    const behind = { ...trends, include: 'persons', aggregation_group_type_index: 0 };
    const { body: list } = await of.call('GET', 'persons/trends', { query: behind });
    const uuids = new Map(
      (list as { results: { group_key: string; uuid: string }[] }).results.map((each) => [each.group_key, each.uuid]),
    );
    const [acme = '', bolt = '', core = ''] = ['acme', 'bolt', 'core'].map((key) => uuids.get(key));
    const project = await of.call('GET', 'persons/trends', { query: { ...behind, aggregation_group_type_index: 1 } });
    const [other] = (project.body as { results: { uuid: string }[] }).results;
    const person = await personOf(of, 'ada');
    const group_ids = [acme, person.uuid, other?.uuid, bolt.toUpperCase()];
    const fixed = await of.create({ ...ofCompanies, is_static: true, group_ids });
    expect([fixed.count, fixed.upload]).toEqual([2, { rows: 4, matched: 2, unknown: 2, duplicates: 0 }]);
    const report = (await of.call('GET', `cohorts/${fixed.id}/upload`)).body as UploadReportDto;
    expect(report.unmatched.map(({ attr }) => attr)).toEqual(['group_ids.1', 'group_ids.2']);
    const uploaded = await of.upload('PATCH', `cohorts/${fixed.id}?wait=30`, {}, `group_id\r\n${core}\r\nnone\r\n`);
    expect(uploaded.body).toMatchObject({ count: 3, upload: { rows: 2, matched: 1, unknown: 1 } });
    const change = async (path: string, body: object) =>
      (await of.call('PATCH', `cohorts/${fixed.id}/${path}`, { body })).status;
    expect(await change('remove_person_from_static_cohort', { group_id: acme })).toBe(200);
    expect(await of.groupKeys(fixed.id)).toEqual(['bolt', 'core']);
    expect(await change('add_persons_to_static_cohort', { group_ids: [acme] })).toBe(200);
    expect(await of.groupKeys(fixed.id)).toEqual(['acme', 'bolt', 'core']);
    expect(await change('remove_person_from_static_cohort', { group_id: person.uuid })).toBe(404);
    expect(await change('remove_person_from_static_cohort', { group_id: other?.uuid })).toBe(400);
    const { body } = await of.upload(
      'POST',
      'cohorts?wait=30',
      { name: 'none', is_static: 'true', actor: 'group', group_type_index: '0' },
      'group_id\r\nx\r\n',
    );
    expect(body).toMatchObject({ attr: 'csv', detail: 'csv holds no group id: each must be an integer or a uuid' });
  });

  it('become a static cohort by the CSV of their list', async () => {
    const { of } = await scene();
    const behind = { ...trends, include: 'persons', format: 'csv', aggregation_group_type_index: 0 };
    const { status, text } = await of.call('GET', 'persons/trends', { query: behind });
    expect([status, text.split('\r\n').length]).toEqual([200, 5]);
    const form = { name: 'Opened', is_static: 'true', actor: 'group', group_type_index: '0' };
    const { body } = await of.upload('POST', 'cohorts?wait=30', form, text);
    expect(body).toMatchObject({ ...ofCompanies, count: 3, upload: { rows: 3, matched: 3, unknown: 0 } });
    expect(await of.groupKeys(body.id)).toEqual(['acme', 'bolt', 'core']);
  });
});

describe('the ids of groups and of persons are different numbers', () => {
  it('so what happens to a person changes no cohort of groups, and the other way round', async () => {
    const { of, groups } = await scene();
    const [ada, bob] = [await personOf(of, 'ada'), await personOf(of, 'bob')];
    // The next groups get the ids of these persons.
    const next = Math.min(ada.id, bob.id);
    await service.pool.query(`SELECT setval(pg_get_serial_sequence('groups', 'id'), $1, false)`, [next]);
    await importLines(service, of.projectId, [
      described('company', 'twin 1', { plan: 'twin' }),
      described('company', 'twin 2', { plan: 'twin' }),
    ]);
    const twins = [await groups.find('twin 1'), await groups.find('twin 2')];
    expect(twins.map(({ id }) => id).sort((a, b) => a - b)).toEqual([ada.id, bob.id].sort((a, b) => a - b));

    const cohorts = [
      await of.create({ ...ofCompanies, filters: all(company('plan', 'twin')) }),
      await of.create({ ...ofCompanies, is_static: true, group_ids: twins.map(({ id }) => id) }),
    ];
    const ofPersons = [
      await of.create({ filters: all(did('opened', within)) }),
      await of.create({ is_static: true, person_ids: [ada.id, bob.id] }),
    ];
    const seen = async () =>
      Promise.all(
        cohorts.map(async ({ id }) => {
          const [{ count }, keys, { results }] = [
            await of.cohort(id),
            await of.groupKeys(id),
            await feed(of, id, { order: 'newest' }),
          ];
          return [count, keys, results.length];
        }),
      );
    const unchanged = [2, ['twin 1', 'twin 2'], 2];
    expect(await seen()).toEqual([unchanged, unchanged]);

    expect((await of.call('POST', `persons/${bob.id}/merge`, { body: { distinct_ids: ['ada'] } })).status).toBe(200);
    expect(await seen()).toEqual([unchanged, unchanged]);
    const { body: merges } = await of.call('GET', `persons/${bob.id}/merges`);
    const [merge] = (merges as { results: { id: number }[] }).results;
    expect((await of.call('POST', `persons/${bob.id}/merges/${merge?.id}/undo`)).status).toBe(200);
    expect(await seen()).toEqual([unchanged, unchanged]);
    expect((await of.call('DELETE', `persons/${bob.id}`)).status).toBeLessThan(300);
    expect(await seen()).toEqual([unchanged, unchanged]);
    for (const { id } of cohorts) if (id === cohorts[0]?.id) await of.recalculate(id);
    expect(await seen()).toEqual([unchanged, unchanged]);

    const membersOfPersons = async () => Promise.all(ofPersons.map(async ({ id }) => of.names(id)));
    const before = await membersOfPersons();
    expect(before).toEqual([['ada', 'cy', 'dee', 'eve'], ['ada']]);
    const gone = twins.find(({ id }) => id === ada.id) as GroupDto;
    expect((await of.call('DELETE', `groups/${gone.id}`)).status).toBe(204);
    expect(await membersOfPersons()).toEqual(before);
    const left = twins.map(({ group_key: key }) => key).filter((key) => key !== gone.group_key);
    expect(await seen()).toEqual([
      [1, left, 3],
      [1, left, 3],
    ]);
    for (const { id } of cohorts) {
      const { results } = await feed(of, id, { order: 'newest' });
      expect(results[0]).toMatchObject({
        ...{ change: 'left', reason: 'deleted' },
        group: { id: gone.id, group_type_index: 0, group_key: null },
      });
    }
    const persons = (await of.call('GET', `cohorts/${ofPersons[0]?.id}/changes`)).body as CohortChangesDto;
    expect(persons.results.map(({ reason }) => reason)).toEqual(['snapshot', 'snapshot', 'snapshot', 'snapshot']);

    // An event makes the group again, under another id, which is in no cohort before it is calculated.
    await importLines(service, of.projectId, [event('ada', 'opened', { company: gone.group_key })]);
    expect((await groups.find(gone.group_key)).id).not.toBe(gone.id);
    expect(await seen()).toEqual([
      [1, left, 3],
      [1, left, 3],
    ]);
    await importLines(service, of.projectId, [described('company', gone.group_key, { plan: 'twin' })]);
    await of.recalculate(cohorts[0]?.id ?? 0);
    expect(told(await feed(of, cohorts[0]?.id ?? 0, { order: 'newest' }))[0]).toEqual([
      'entered',
      'calculated',
      gone.group_key,
    ]);
  });
});

describe('a request that mixes persons and groups', () => {
  it('is refused by the name of its field, with what would be right', async () => {
    const { of } = await scene();
    const pros = await of.create({ ...ofCompanies, filters: all(company('plan', 'pro')) });
    const fixed = await of.create({ ...ofCompanies, is_static: true, group_keys: ['acme'] });
    const persons = await of.create({ is_static: true, distinct_ids: ['ada'] });
    const projects = await of.create({ actor: 'group', group_type_index: 1, is_static: true, group_keys: ['acme'] });
    const value = 'filters.properties.values.0';
    const make = (body: object): Refused => ['POST', 'cohorts', { body: { name: 'c', ...body } }];
    const defines = (...criteria: object[]): Refused => make({ ...ofCompanies, filters: all(...criteria) });
    const lists = (body: object): Refused => make({ ...ofCompanies, is_static: true, ...body });
    const checks = (body: object): Refused => ['POST', 'cohorts/membership', { body }];
    const path = (cohort: { readonly id: number }, rest: string) => `cohorts/${cohort.id}/${rest}`;
    const cases: readonly (readonly [Refused, string | null, string])[] = [
      [make({ actor: 'group', filters: all(where('plan', 'pro')) }), 'group_type_index', 'required'],
      [make({ group_type_index: 0, filters: all(where('plan', 'pro')) }), 'group_type_index', 'needs actor'],
      [make({ actor: 'team', filters: all(where('plan', 'pro')) }), 'actor', 'must be one of person, group'],
      [
        make({ actor: 'group', group_type_index: 7, is_static: true, group_keys: [] }),
        'group_type_index',
        'the project has 0',
      ],
      [defines(where('plan', 'pro')), `${value}.type`, 'must be group'],
      [defines(company('plan', 'pro', { group_type_index: 1 })), `${value}.group_type_index`, 'must be 0'],
      [defines(did('paid', { ...within, group_type_index: 1 })), `${value}.group_type_index`, 'must be 0'],
      [defines(isIn(persons.id)), `${value}.value`, `cohort ${persons.id} has persons`],
      [defines(isIn(projects.id)), `${value}.value`, `cohort ${projects.id} has groups of the type 1`],
      [make({ ...ofCompanies, groups: [{ event_id: 'paid' }] }), 'groups', 'send filters'],
      [lists({ distinct_ids: ['ada'] }), 'distinct_ids', 'send group_ids or group_keys'],
      [lists({ person_ids: [1] }), 'person_ids', 'send group_ids or group_keys'],
      [lists({}), 'group_ids', 'needs its members'],
      [make({ is_static: true, group_keys: ['acme'] }), 'group_keys', 'send person_ids or distinct_ids'],
      [
        make({
          filters: all(
            did('paid', { ...within, value: 'performed_event_multiple', operator_value: 1, count_of: 'persons' }),
          ),
        }),
        `${value}.count_of`,
        'must be events',
      ],
      [['PATCH', `cohorts/${pros.id}`, { body: { actor: 'person' } }], 'actor', 'cannot be changed'],
      [['PATCH', `cohorts/${pros.id}`, { body: { group_type_index: 1 } }], 'group_type_index', 'cannot be changed'],
      [['PATCH', `cohorts/${persons.id}`, { body: { actor: 'group' } }], 'actor', 'cannot be changed'],
      [['GET', path(pros, 'persons')], null, `cohorts/${pros.id}/groups`],
      [['GET', path(persons, 'groups')], null, `cohorts/${persons.id}/persons`],
      [['GET', path(pros, 'changes')], null, `cohorts/${pros.id}/group_changes`],
      [['GET', path(persons, 'group_changes')], null, `cohorts/${persons.id}/changes`],
      [['GET', path(pros, 'changes'), { query: { order: 'newest' } }], null, 'group_changes'],
      [['GET', path(pros, 'explain'), { query: { distinct_id: 'ada' } }], 'distinct_id', 'send group_id'],
      [['GET', path(persons, 'explain'), { query: { group_key: 'acme' } }], 'group_key', 'send person_id'],
      [
        ['PATCH', path(fixed, 'add_persons_to_static_cohort'), { body: { distinct_ids: ['ada'] } }],
        'distinct_ids',
        'groups',
      ],
      [
        ['PATCH', path(persons, 'add_persons_to_static_cohort'), { body: { group_keys: ['acme'] } }],
        'group_keys',
        'persons',
      ],
      [['PATCH', path(fixed, 'remove_person_from_static_cohort'), { body: { person_id: 1 } }], 'person_id', 'groups'],
      [['PATCH', path(persons, 'remove_person_from_static_cohort'), { body: { group_id: 1 } }], 'group_id', 'persons'],
      [checks({ distinct_ids: ['ada'], cohorts: [pros.id] }), 'cohorts.0', 'send group_keys or group_ids'],
      [checks({ group_keys: ['acme'], group_type_index: 0, cohorts: [persons.id] }), 'cohorts.0', 'has persons'],
      [checks({ group_keys: ['acme'], group_type_index: 0, cohorts: [projects.id] }), 'cohorts.0', 'of the type 1'],
      [checks({ group_keys: ['acme'], cohorts: [pros.id] }), 'group_type_index', 'required'],
      [['GET', 'persons', { query: { cohort: pros.id } }], 'cohort', 'must be the id of a cohort of persons'],
      [
        ['GET', 'persons', { query: { properties: JSON.stringify([isIn(pros.id)]) } }],
        'properties.0.value',
        'of persons',
      ],
      [['GET', 'groups', { query: { group_type_index: 0, cohort: persons.id } }], 'cohort', 'has persons'],
      [['GET', 'groups', { query: { group_type_index: 0, cohort: projects.id } }], 'cohort', 'of the type 1'],
    ];
    for (const [[method, url, options = {}], attr, says] of cases) {
      const { status, body } = await of.call(method, url, options);
      const { attr: named, detail } = body as { attr: string | null; detail: string };
      expect([url, options, status, named, detail]).toEqual([url, options, 400, attr, expect.stringContaining(says)]);
    }
  });

  it('needs the scope of groups', async () => {
    const { of } = await scene();
    const pros = await of.create({ ...ofCompanies, filters: all(company('plan', 'pro')) });
    const { text: key } = await service.newKey({ scopes: ['cohort:write', 'person:read'] });
    const asked: readonly Refused[] = [
      ['POST', 'cohorts', { body: { name: 'c', ...ofCompanies, filters: all(company('plan', 'pro')) } }],
      ['POST', 'cohorts/preview', { body: { ...ofCompanies, filters: all(did('paid', within)) } }],
      ['POST', 'cohorts/membership', { body: { group_ids: [1], cohorts: [pros.id] } }],
      ['GET', `cohorts/${pros.id}/explain`, { query: { group_key: 'acme' } }],
      ['GET', `cohorts/${pros.id}/groups`],
      ['GET', `cohorts/${pros.id}/group_changes`],
      ['GET', 'groups/1/cohorts'],
    ];
    for (const [method, url, options = {}] of asked) {
      const { status, body } = await of.call(method, url, { ...options, key });
      expect([url, status, (body as { detail: string }).detail]).toEqual([
        url,
        403,
        expect.stringContaining('group:read'),
      ]);
    }
    // What they did tells no property.
    const did403 = { body: { name: 'c', ...ofCompanies, filters: all(did('paid', within)) }, key };
    expect((await of.call('POST', 'cohorts', did403)).status).toBe(201);
  });
});

type Refused = readonly [
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  options?: { readonly body?: object; readonly query?: Readonly<Record<string, string | number>> },
];
