import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { compareWorlds } from '../support/cohorts/account-worlds.js';
import { CohortsOf, all, did } from '../support/cohorts/cohorts-of.js';
import { importLines } from '../support/import.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

const worlds = Number(process.env.WORLDS ?? 100);

let service: ServiceHandle;
let of: CohortsOf;

const at = '2026-03-01T10:00:00Z';
const event = (distinct_id: string, name: string, company: string | null, timestamp = at) => ({
  ...{ type: 'event', event: name, distinct_id, timestamp },
  properties: company === null ? {} : { $groups: { company } },
});
const describes = (key: string, properties: object) => ({
  ...{ type: 'event', event: '$groupidentify', distinct_id: `company ${key}`, timestamp: at },
  properties: { $group_type: 'company', $group_key: key, $group_set: properties },
});

beforeAll(async () => {
  service = await sharedService();
  of = new CohortsOf(service, service.project.id);
  await importLines(service, service.project.id, [
    describes('acme', { plan: 'pro', seats: 10 }),
    describes('bolt', { plan: 'free' }),
    ...['ada', 'bob'].map((who) => event(who, 'opened', 'acme')),
    event('ada', 'paid', 'acme', '2026-03-01T11:00:00Z'),
    event('cy', 'opened', 'bolt'),
    event('dee', 'opened', 'bolt'),
    event('dee', 'opened', 'acme'),
    event('eve', 'opened', 'core'),
    event('fay', 'paid', null),
  ]);
});
afterAll(() => service.stop());

const found = async (...criteria: object[]): Promise<string[]> => {
  const { status, body } = await of.call('POST', 'cohorts/preview', { body: { filters: all(...criteria) } });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return (body as { results: { name: string }[] }).results.map(({ name }) => name).sort();
};

const company = (more: object) => ({ type: 'group', group_type_index: 0, ...more });
const within = { explicit_datetime: '2026-03-01', explicit_datetime_to: '2026-03-02' };

describe('persons by their groups', () => {
  it('belong to a group that has a property, or to none', async () => {
    expect(await found(company({ key: 'plan', value: 'pro' }))).toEqual(['ada', 'bob', 'dee']);
    expect(await found(company({ key: 'plan', value: 'pro', negation: true }))).toEqual(['cy', 'eve', 'fay']);
    // Another company than those of the plan, or one without a plan.
    expect(await found(company({ key: 'plan', operator: 'is_not', value: 'pro' }))).toEqual(['cy', 'dee', 'eve']);
    expect(await found(company({ key: 'plan', operator: 'is_not_set' }))).toEqual(['eve']);
    expect(await found(company({ key: '$group_key', value: ['bolt', 'core'] }))).toEqual(['cy', 'dee', 'eve']);
    expect(await found(company({ key: 'seats', operator: 'gt', value: 5 }), did('opened', within))).toEqual([
      ...['ada', 'bob', 'dee'],
    ]);
  });

  it('belong to a group that did something, whoever of it did', async () => {
    expect(await found(did('paid', within))).toEqual(['ada', 'fay']);
    expect(await found(did('paid', { ...within, group_type_index: 0 }))).toEqual(['ada', 'bob', 'dee']);
    expect(await found(did('paid', { ...within, group_type_index: 0, negation: true }))).toEqual(['cy', 'eve', 'fay']);
    const often = { ...within, value: 'performed_event_multiple', operator: 'gte', operator_value: 3 };
    expect(await found(did('opened', { ...often, group_type_index: 0 }))).toEqual(['ada', 'bob', 'dee']);
    const then = { seq_event: 'paid', seq_event_type: 'events', seq_time_value: 2, seq_time_interval: 'hour' };
    const sequence = { ...within, ...then, value: 'performed_event_sequence' };
    expect(await found(did('opened', sequence))).toEqual(['ada']);
    expect(await found(did('opened', { ...sequence, group_type_index: 0 }))).toEqual(['ada', 'bob', 'dee']);
  });

  it('are members of a saved cohort, which explains them', async () => {
    const cohort = await of.create({ filters: all(company({ key: 'plan', value: 'pro' })) });
    expect(await of.names(cohort.id)).toEqual(['ada', 'bob', 'dee']);
    const { body } = await of.call('GET', `cohorts/${cohort.id}/explain`, { query: { distinct_id: 'bob' } });
    expect(body).toMatchObject({
      member: true,
      criteria: [{ type: 'group', key: 'plan', criterion: 'exact', held: true, seen: true }],
    });
  });

  it('are refused by a type of groups that is not there', async () => {
    for (const criterion of [
      { type: 'group', group_type_index: 3, key: 'plan', value: 'pro' },
      did('paid', { ...within, group_type_index: 3 }),
    ]) {
      const body = { name: 'c', filters: all(criterion) };
      const { status, body: problem } = await of.call('POST', 'cohorts', { body });
      expect([status, (problem as { attr: string }).attr]).toEqual([
        400,
        'filters.properties.values.0.group_type_index',
      ]);
    }
  });

  it('are those of the join in SQL, in any world', async () => {
    const seed = Number(process.env.SEED ?? 20_261_130);
    expect(await compareWorlds(service, worlds, seed)).toBeGreaterThan(worlds);
  }, 3_600_000);
});
