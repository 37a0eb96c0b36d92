import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type FlagDto } from '../../src/flags/flag.dto.js';
import { longestAgeMs } from '../../src/platform/work/brief-memory.js';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { CohortsOf, all, where } from '../support/cohorts/cohorts-of.js';
import { GroupsOf, describes } from '../support/groups.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { until } from '../support/until.js';

let service: ServiceHandle;
let project: ProjectDto;
let of: CohortsOf;
beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  project = await service.newProject();
  of = new CohortsOf(service, project.id);
});

const make = async (body: object): Promise<FlagDto> => {
  const answer = await of.call('POST', 'feature_flags', { body });
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body as FlagDto;
};

const on = (...properties: object[]) => ({ groups: [{ properties }] });
const person = (key: string, value: unknown, more: object = {}) => ({ type: 'person', key, value, ...more });

interface Detail {
  readonly enabled: boolean;
  readonly variant: string | null;
  readonly reason: { readonly code: string; readonly condition_index: number | null };
  readonly metadata: {
    readonly id: number;
    readonly version: number;
    readonly payload: string | null;
    readonly cohorts?: { readonly id: number; readonly version: number }[];
  };
}

interface SdkAnswer {
  readonly flags: Record<string, Detail>;
  readonly featureFlags: unknown;
  readonly featureFlagPayloads: Record<string, string>;
}

const ask = async (distinctId: string, more: object = {}, path = '/flags?v=2'): Promise<SdkAnswer> => {
  const body = { token: project.api_token, distinct_id: distinctId, ...more };
  const answer = await service.call('POST', path, { key: null, body });
  expect([answer.status, answer.body]).toEqual([200, expect.anything()]);
  return answer.body as SdkAnswer;
};

/** What each flag is for the person, once the process knows the latest flags. */
const values = async (distinctId: string, more: object = {}): Promise<unknown> =>
  (await ask(distinctId, more)).featureFlags;

const describePersons = async (...persons: { id: string; set?: object }[]): Promise<void> => {
  const lines = persons.map(({ id, set = {} }) => ({ type: 'person', distinct_ids: [id], properties: set }));
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const { status } = await of.call('POST', 'import', { body, headers: { 'content-type': 'application/x-ndjson' } });
  expect(status).toBe(200);
};

describe('a feature flag', () => {
  it('is made, listed, found, changed with a new version, logged and deleted', async () => {
    const first = await make({ key: 'new-checkout', name: 'The new checkout', filters: on(), tags: ['b', 'a'] });
    expect(first).toMatchObject({
      ...{ key: 'new-checkout', name: 'The new checkout', active: true, version: 1, tags: ['a', 'b'] },
      ...{ is_simple_flag: true, rollout_percentage: 100, deleted: false, created_by: { email: service.email } },
      filters: {
        groups: [{ properties: [], rollout_percentage: null, variant: null }],
        ...{ multivariate: null, payloads: {}, aggregation_group_type_index: null },
      },
    });
    const second = await make({ key: 'beta', active: false });
    const list = async (query: Record<string, string>) => {
      const { body } = await of.call('GET', 'feature_flags', { query });
      return (body as { results: FlagDto[] }).results.map(({ key }) => key);
    };
    expect(await list({})).toEqual(['beta', 'new-checkout']);
    expect(await list({ search: 'THE NEW' })).toEqual(['new-checkout']);
    expect(await list({ active: 'false' })).toEqual(['beta']);
    const { body: changed } = await of.call('PATCH', `feature_flags/${first.id}`, { body: { active: false } });
    expect(changed).toMatchObject({ ...first, active: false, version: 2, updated_at: expect.any(String) });
    // Sent back as it was read, the flag stays the same.
    expect((await of.call('PATCH', `feature_flags/${first.id}`, { body: changed as object })).body).toEqual(changed);
    expect((await of.call('GET', `feature_flags/${first.id}`)).body).toEqual(changed);
    const gone = await of.call('PATCH', `feature_flags/${first.id}`, { body: { deleted: true } });
    expect(gone.body).toMatchObject({ id: first.id, deleted: true });
    expect((await of.call('GET', `feature_flags/${first.id}`)).status).toBe(404);
    expect((await of.call('DELETE', `feature_flags/${second.id}`)).status).toBe(204);
    // The key is free again.
    await make({ key: 'new-checkout' });
    const log = await of.activity('activity', { scope: 'FeatureFlag' });
    const ofFirst = log.filter(({ item_id: item }) => item === String(first.id));
    expect(ofFirst.map(({ activity }) => activity)).toEqual(['deleted', 'updated', 'created']);
  });

  it('has a description as its name if it has no other', async () => {
    expect(await make({ key: 'described', description: 'In words' })).toMatchObject({ name: 'In words' });
    const named = await make({ key: 'named', name: 'A name', description: 'In words' });
    expect(named).toMatchObject({ name: 'A name' });
    const { body } = await of.call('PATCH', `feature_flags/${named.id}`, { body: { name: '' } });
    expect(body).toMatchObject({ name: '' });
  });

  it.each<[object, string]>([
    [{ key: 'a b' }, 'key'],
    [
      { key: 'k', filters: { groups: [{ properties: [{ type: 'flag', key: 'x', value: true }] }] } },
      'filters.groups.0.properties.0.type',
    ],
    [
      { key: 'k', filters: { groups: [{ properties: [{ type: 'event', key: 'x', value: 1 }] }] } },
      'filters.groups.0.properties.0.type',
    ],
    [{ key: 'k', filters: on(person('x', 1, { operator: 'semver_gt' })) }, 'filters.groups.0.properties.0.operator'],
    [{ key: 'k', filters: on(person('x', 1, { negation: true })) }, 'filters.groups.0.properties.0.negation'],
    [{ key: 'k', filters: on(person('x', '(', { operator: 'regex' })) }, 'filters.groups.0.properties.0.value'],
    [
      { key: 'k', filters: on(person('x', 'a'.repeat(1001), { operator: 'regex' })) },
      'filters.groups.0.properties.0.value',
    ],
    [{ key: 'k', filters: on({ type: 'OR', values: [person('x', 1)] }) }, 'filters.groups.0.properties.0'],
    [{ key: 'k', filters: on({ type: 'cohort', key: 'id', value: 987_654 }) }, 'filters.groups.0.properties.0.value'],
    [{ key: 'k', filters: on({ type: 'cohort', key: 'id', value: [1, 2] }) }, 'filters.groups.0.properties.0'],
    [{ key: 'k', filters: { groups: [{ rollout_percentage: 101 }] } }, 'filters.groups.0.rollout_percentage'],
    [{ key: 'k', filters: { groups: [{ variant: 'x' }] } }, 'filters.groups.0.variant'],
    [{ key: 'k', filters: { groups: [{ color: 'x' }] } }, 'filters.groups.0.color'],
    [{ key: 'k', filters: { group: [] } }, 'filters.group'],
    [{ key: 'k', filters: { super_groups: [{}] } }, 'filters.super_groups'],
    [{ key: 'k', filters: { holdout_groups: [{}] } }, 'filters.holdout_groups'],
    [{ key: 'k', filters: { feature_enrollment: true } }, 'filters.feature_enrollment'],
    [{ key: 'k', filters: { payloads: { off: '1' } } }, 'filters.payloads.off'],
    [{ key: 'k', filters: { payloads: { true: '{' } } }, 'filters.payloads.true'],
    [
      { key: 'k', filters: { multivariate: { variants: [{ key: 'a', rollout_percentage: 50 }] } } },
      'filters.multivariate.variants',
    ],
    [
      {
        key: 'k',
        filters: {
          multivariate: {
            variants: [
              { key: 'a', rollout_percentage: 50 },
              { key: 'a', rollout_percentage: 50 },
            ],
          },
        },
      },
      'filters.multivariate.variants.1.key',
    ],
    [{ key: 'k', filters: { aggregation_group_type_index: 3 } }, 'filters.aggregation_group_type_index'],
    [{ key: 'k', ensure_experience_continuity: true }, 'ensure_experience_continuity'],
    [{ key: 'k', evaluation_runtime: 'server' }, 'evaluation_runtime'],
    [{ key: 'k', bucketing_identifier: 'device_id' }, 'bucketing_identifier'],
    [{ key: 'k', is_remote_configuration: true }, 'is_remote_configuration'],
    [{ key: 'k', has_encrypted_payloads: true }, 'has_encrypted_payloads'],
    [{ key: 'k', archived: true }, 'archived'],
    [{ key: 'k', evaluation_contexts: ['web'] }, 'evaluation_contexts'],
    [{ key: 'k', rollback_conditions: [{}] }, 'rollback_conditions'],
  ])('is refused by the name of the field: %j', async (body, attr) => {
    const answer = await of.call('POST', 'feature_flags', { body });
    expect([answer.status, (answer.body as { attr: string }).attr]).toEqual([400, attr]);
  });

  it('takes what means that a field is unused, and has a key of its own', async () => {
    await make({
      ...{ key: 'k', ensure_experience_continuity: false, evaluation_runtime: 'all', bucketing_identifier: '' },
      ...{ rollback_conditions: [], evaluation_tags: [], creation_context: 'feature_flags', archived: false },
      filters: { groups: [], super_groups: null, holdout_groups: [], feature_enrollment: false, holdout: null },
    });
    const answer = await of.call('POST', 'feature_flags', { body: { key: 'k' } });
    expect([answer.status, answer.body]).toMatchObject([400, { attr: 'key' }]);
  });

  it('keeps the cohorts that it names', async () => {
    const { id } = await of.create({ filters: all(where('plan', 'pro')) });
    const flag = await make({ key: 'k', filters: on({ type: 'cohort', key: 'id', value: id }) });
    const refused = await of.call('PATCH', `cohorts/${id}`, { body: { deleted: true } });
    expect([refused.status, (refused.body as { detail: string }).detail]).toEqual([
      409,
      expect.stringContaining('k ('),
    ]);
    await of.call('DELETE', `feature_flags/${flag.id}`);
    expect((await of.call('PATCH', `cohorts/${id}`, { body: { deleted: true } })).status).toBe(200);
  });
});

describe('the flags of a person', () => {
  it('follow properties as they are now, what the request says about them, and the recorded members of cohorts', async () => {
    await describePersons({ id: 'ada', set: { plan: 'pro', age: 30 } }, { id: 'bob', set: { plan: 'free' } });
    const { id: pros } = await of.create({ filters: all(where('plan', 'pro')) });
    const { id: nested } = await of.create({ filters: all({ type: 'cohort', key: 'id', value: pros }) });
    const { id: chosen } = await of.create({ is_static: true, distinct_ids: ['bob'] });
    const cohort = (value: number, operator = 'in') => ({ type: 'cohort', key: 'id', value, operator });
    await make({ key: 'everyone', filters: on() });
    await make({ key: 'nobody' });
    await make({ key: 'adults', filters: on(person('age', 18, { operator: 'gte' })) });
    await make({ key: 'pros', filters: on(cohort(pros)) });
    await make({ key: 'nested', filters: on(cohort(nested)) });
    await make({ key: 'not-chosen', filters: on(cohort(chosen, 'not_in')) });
    await make({ key: 'inactive', active: false, filters: on() });
    const { flags, featureFlags } = await ask('ada');
    expect(featureFlags).toEqual({
      ...{ everyone: true, nobody: false, adults: true, pros: true, nested: true, 'not-chosen': true },
    });
    expect(flags.pros).toMatchObject({
      ...{ key: 'pros', enabled: true, variant: null, reason: { code: 'condition_match', condition_index: 0 } },
      metadata: { version: 1, payload: null, cohorts: [{ id: pros, version: (await of.cohort(pros)).version }] },
    });
    expect(flags.nobody?.reason).toMatchObject({ code: 'no_condition_match', condition_index: null });
    const off = { everyone: true, nobody: false, adults: false, pros: false, nested: false };
    expect(await values('bob')).toEqual({ ...off, 'not-chosen': false });
    expect(await values('stranger')).toEqual({ ...off, 'not-chosen': true });
    const reasonOf = async (id: string): Promise<unknown> => (await ask(id)).flags.pros?.reason;
    expect(await reasonOf('bob')).toMatchObject({ description: 'No condition holds' });
    expect(await reasonOf('stranger')).toMatchObject({
      code: 'no_condition_match',
      description: 'No condition holds: no person has this distinct id',
    });
    expect(await values('stranger', { person_properties: { age: '18' } })).toMatchObject({ adults: true, pros: false });
    expect(await values('ada', { person_properties: { age: 17 } })).toMatchObject({ adults: false, pros: true });
    expect(await values('ada', { flag_keys_to_evaluate: ['pros', 'unknown'] })).toEqual({ pros: true });
    expect(await values('ada', { flag_keys: ['adults'] })).toEqual({ adults: true });
    expect(await values('ada', { disable_flags: true })).toEqual({});
    // A change counts with the next request.
    await service.call('POST', '/capture', {
      key: null,
      body: { api_key: project.api_token, event: '$set', distinct_id: 'ada', properties: { $set: { age: 3 } } },
    });
    expect(await values('ada')).toMatchObject({ adults: false });
  });

  it('depend on groups, with their own properties, keys and percentages', async () => {
    const groups = new GroupsOf(service, project.id);
    await groups.send(describes('company', 'acme', { seats: 20 }), describes('project', 'apollo', {}));
    const group = (key: string, value: unknown, more: object = {}) => ({
      ...{ type: 'group', group_type_index: 0, key, value, ...more },
    });
    const ofCompanies = { aggregation_group_type_index: 0 };
    await make({ key: 'large', filters: { ...ofCompanies, ...on(group('seats', 10, { operator: 'gt' })) } });
    await make({ key: 'acme', filters: { ...ofCompanies, ...on(group('$group_key', 'acme')) } });
    await make({
      key: 'mixed',
      filters: {
        groups: [
          { ...ofCompanies, properties: [group('seats', 10, { operator: 'gt' })] },
          { properties: [person('plan', 'pro')] },
        ],
      },
    });
    const refused = await of.call('POST', 'feature_flags', { body: { key: 'k', filters: on(group('seats', 1)) } });
    expect(refused.body).toMatchObject({ attr: 'filters.groups.0.properties.0.type' });
    const other = await of.call('POST', 'feature_flags', {
      body: { key: 'k', filters: { ...ofCompanies, ...on(group('seats', 1, { group_type_index: 1 })) } },
    });
    expect(other.body).toMatchObject({ attr: 'filters.groups.0.properties.0.group_type_index' });
    expect(await values('ada', { groups: { company: 'acme' } })).toEqual({ large: true, acme: true, mixed: true });
    expect(await values('ada', { groups: { company: 'tiny' } })).toEqual({ large: false, acme: false, mixed: false });
    expect(await values('ada', { groups: { company: 'tiny' }, group_properties: { company: { seats: 11 } } })).toEqual({
      large: true,
      acme: false,
      mixed: true,
    });
    const { flags } = await ask('ada', { person_properties: { plan: 'pro' } });
    expect(flags.large).toMatchObject({ enabled: false, reason: { code: 'no_group_type' } });
    expect(flags.mixed).toMatchObject({ enabled: true, reason: { condition_index: 1 } });
    expect(await values('ada', { groups: { planet: 'mars' } })).toEqual({ large: false, acme: false, mixed: false });
  });

  it('have variants with payloads, conditions that choose one, early exits and holdouts', async () => {
    const variants = [
      { key: 'control', rollout_percentage: 50 },
      { key: 'short', name: 'One page', rollout_percentage: 50 },
    ];
    const payloads = { control: '"old"', short: { pages: 1 } };
    await make({ key: 'checkout', filters: { ...on(), multivariate: { variants }, payloads } });
    await make({
      key: 'chosen',
      filters: {
        groups: [{ properties: [person('plan', 'pro')], variant: 'short' }],
        multivariate: { variants },
        payloads,
      },
    });
    await make({ key: 'plain', filters: { ...on(), payloads: { true: '{"color":"green"}' } } });
    const half = { groups: [{ properties: [], rollout_percentage: 0, description: 'None' }, { properties: [] }] };
    await make({ key: 'late', filters: half });
    await make({ key: 'early', filters: { ...half, early_exit: true } });
    await make({ key: 'held', filters: { ...on(), holdout: { id: 7, exclusion_percentage: 100 } } });
    const { flags, featureFlags, featureFlagPayloads } = await ask('ada', { person_properties: { plan: 'pro' } });
    const { variant } = flags.checkout as Detail;
    expect(['control', 'short']).toContain(variant);
    expect(featureFlags).toEqual({
      ...{ checkout: variant, chosen: 'short', plain: true, late: true, early: false, held: 'holdout-7' },
    });
    expect(featureFlagPayloads).toEqual({
      ...{ checkout: variant === 'short' ? '{"pages":1}' : '"old"', chosen: '{"pages":1}', plain: '{"color":"green"}' },
    });
    expect(flags.early?.reason).toMatchObject({ code: 'out_of_rollout_bound', condition_index: 0 });
    expect(flags.late?.reason).toMatchObject({ code: 'condition_match', condition_index: 1 });
    expect(flags.held?.reason).toMatchObject({ code: 'holdout_condition_value' });
    const config = await of.call('GET', 'feature_flags/plain/remote_config');
    expect(config.body).toBe('{"color":"green"}');
    expect((await of.call('GET', 'feature_flags/late/remote_config')).body).toBeNull();
  });

  it('come in the shape of each version of the protocol', async () => {
    await make({ key: 'on', filters: on() });
    await make({ key: 'off' });
    const shape = async (path: string) => (await ask('ada', {}, path)).featureFlags;
    expect(await shape('/decide')).toEqual(['on']);
    expect(await shape('/decide?v=1')).toEqual(['on']);
    expect(await shape('/decide?v=2')).toEqual({ on: true });
    for (const path of ['/decide?v=3', '/decide/?v=4', '/flags', '/flags?v=1', '/flags/?v=2'])
      expect([path, await shape(path)]).toEqual([path, { on: true, off: false }]);
    const query = { token: project.api_token, distinct_id: 'ada' };
    expect((await service.call('GET', '/flags', { key: null, query })).body).toMatchObject({
      featureFlags: { on: true },
    });
    const data = Buffer.from(JSON.stringify({ ...query })).toString('base64');
    expect((await service.call('GET', '/decide', { key: null, query: { data, v: 3 } })).body).toMatchObject({
      ...{ featureFlags: { on: true, off: false }, hasFeatureFlags: true, errorsWhileComputingFlags: false },
    });
  });

  it('need a token that is known, and a distinct id', async () => {
    const post = (body: object) => service.call('POST', '/flags?v=2', { key: null, body });
    expect(await post({ distinct_id: 'ada' })).toMatchObject({ status: 401, body: { code: 'not_authenticated' } });
    expect(await post({ token: 'phc_unknown', distinct_id: 'a' })).toMatchObject({ status: 401 });
    expect(await post({ token: project.api_token })).toMatchObject({ status: 400, body: { attr: 'distinct_id' } });
    expect(await post({ token: project.api_token, distinct_id: 'a\0b' })).toMatchObject({ status: 200 });
  });

  it('change in every process within a second', async () => {
    const flag = await make({ key: 'k', filters: on() });
    expect(await values('ada')).toEqual({ k: true });
    const began = Date.now();
    await of.call('PATCH', `feature_flags/${flag.id}`, { body: { filters: { groups: [] } } });
    await until(async () => JSON.stringify(await values('ada')) === '{"k":false}');
    await of.call('DELETE', `feature_flags/${flag.id}`);
    await until(async () => JSON.stringify(await values('ada')) === '{}');
    expect(Date.now() - began).toBeLessThan(2 * longestAgeMs + 2000);
  });
});

describe('the definitions for SDKs', () => {
  it('have flags, types of groups and cohorts, and a tag', async () => {
    await new GroupsOf(service, project.id).send(describes('company', 'acme', {}));
    await describePersons({ id: 'ada', set: { plan: 'pro' } });
    const { id: pros } = await of.create({ filters: all(where('plan', 'pro', { operator: 'in' })) });
    const { id: nested } = await of.create({
      filters: all({ type: 'cohort', key: 'id', value: pros, negation: true }),
    });
    const { id: chosen } = await of.create({ is_static: true, distinct_ids: ['ada'] });
    const { id: ofChosen } = await of.create({ filters: all({ type: 'cohort', key: 'id', value: chosen }) });
    const cohort = (value: number, more: object = {}) => ({ type: 'cohort', key: 'id', value, ...more });
    await make({
      key: 'k',
      filters: on(cohort(nested), cohort(chosen), cohort(ofChosen, { negation: true }), person('x', [])),
    });
    const { status, body, headers } = await of.call('GET', 'feature_flags/local_evaluation');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      flags: [
        {
          ...{ key: 'k', active: true, deleted: false, ensure_experience_continuity: false },
          filters: {
            groups: [
              {
                properties: [
                  { type: 'cohort', key: 'id', value: nested, operator: 'in' },
                  { type: 'cohort', key: 'id', value: chosen, operator: 'in' },
                  { type: 'cohort', key: 'id', value: ofChosen, operator: 'not_in' },
                ],
              },
            ],
          },
        },
      ],
      group_type_mapping: { 0: 'company' },
      property_matching_version: 2,
    });
    // Who is in a static cohort only the service knows.
    expect((body as { cohorts: object }).cohorts).toEqual({
      [pros]: { type: 'AND', values: [{ type: 'person', key: 'plan', value: 'pro', operator: 'exact' }] },
      [nested]: { type: 'AND', values: [{ type: 'cohort', key: 'id', value: pros, operator: 'not_in' }] },
    });
    const etag = String(headers.etag);
    const query = { token: project.api_token, send_cohorts: '' };
    for (const path of ['/flags/definitions', '/api/feature_flag/local_evaluation']) {
      const again = await service.call('GET', path, { query, headers: { 'if-none-match': etag } });
      expect([path, again.status, again.headers.etag]).toEqual([path, 304, etag]);
    }
    await make({ key: 'l' });
    const changed = await service.call('GET', '/flags/definitions', { query, headers: { 'if-none-match': etag } });
    expect(changed.status).toBe(200);
  });

  it('leave cohorts of groups to the service, and cohorts of persons that name them', async () => {
    await new GroupsOf(service, project.id).send(describes('company', 'acme', { plan: 'pro' }));
    // Without a type, a filter is one on the group here.
    const untyped = { properties: { type: 'AND', values: [{ key: 'plan', value: 'pro' }] } };
    const { id: companies } = await of.create({ actor: 'group', group_type_index: 0, filters: untyped });
    const { id: theirs } = await of.create({ filters: all({ type: 'cohort', key: 'id', value: companies }) });
    await make({ key: 'k', filters: on({ type: 'cohort', key: 'id', value: theirs }) });
    const { body } = await of.call('GET', 'feature_flags/local_evaluation');
    expect(body).toMatchObject({ flags: [{ key: 'k' }], cohorts: {} });
    expect((body as { cohorts: object }).cohorts).toEqual({});
  });

  it('are for keys that may read flags, and open the project of the token', async () => {
    const query = { token: project.api_token };
    const get = (key: string | null, path = '/flags/definitions') => service.call('GET', path, { key, query });
    expect((await get(null)).status).toBe(401);
    const { text: other } = await service.newKey({ scopes: ['event:read'] });
    expect((await get(other)).status).toBe(403);
    const { text: elsewhere } = await service.newKey({
      scopes: ['feature_flag:read'],
      projectIds: [service.project.id],
    });
    expect((await get(elsewhere)).status).toBe(404);
    const { text: right } = await service.newKey({ scopes: ['feature_flag:read'], projectIds: [project.id] });
    expect((await get(right)).status).toBe(200);
    const unknown = await service.call('GET', '/flags/definitions', { query: { token: 'phc_unknown' } });
    expect(unknown.status).toBe(404);
    expect((await service.call('GET', '/flags/definitions')).body).toMatchObject({ attr: 'token' });
  });
});

describe('OFREP', () => {
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    service.call('POST', `/ofrep/v1/evaluate/flags${path}`, {
      ...{ key: null, body },
      headers: { 'x-api-key': project.api_token, ...headers },
    });

  it('answers one flag, and says why', async () => {
    await make({ key: 'all', filters: { ...on(), payloads: { true: '1' } } });
    await make({ key: 'pros', filters: on(person('plan', 'pro')) });
    await make({ key: 'inactive', active: false, filters: on() });
    const context = { targetingKey: 'ada', plan: 'pro' };
    const all = await post('/all', { context });
    expect([all.status, all.body]).toEqual([
      200,
      {
        ...{ key: 'all', value: true, reason: 'STATIC', variant: 'on' },
        metadata: { version: 1, reason: 'Condition 1 holds', payload: '1' },
      },
    ]);
    expect((await post('/pros', { context })).body).toMatchObject({ value: true, reason: 'TARGETING_MATCH' });
    expect((await post('/pros', { context: { targetingKey: 'ada' } })).body).toMatchObject({
      value: false,
      reason: 'DEFAULT',
    });
    expect((await post('/inactive', { context })).body).toMatchObject({ value: false, reason: 'DISABLED' });
    expect(await post('/none', { context })).toMatchObject({
      status: 404,
      body: { errorCode: 'FLAG_NOT_FOUND', key: 'none' },
    });
    expect(await post('/all', { context: {} })).toMatchObject({
      status: 400,
      body: { errorCode: 'TARGETING_KEY_MISSING' },
    });
    expect(await post('/all', [])).toMatchObject({ status: 400, body: { errorCode: 'PARSE_ERROR' } });
    const bearer = { 'x-api-key': '', authorization: `Bearer ${project.api_token}` };
    expect((await post('/all', { context }, bearer)).status).toBe(200);
    expect((await post('/all', { context }, { 'x-api-key': 'phc_unknown' })).status).toBe(401);
  });

  it('answers all flags with a tag', async () => {
    await make({ key: 'all', filters: on() });
    await make({ key: 'none' });
    const context = { targetingKey: 'ada' };
    const { body, headers } = await post('', { context });
    expect((body as { flags: { key: string; value: unknown }[] }).flags.map(({ key, value }) => [key, value])).toEqual([
      ['all', true],
      ['none', false],
    ]);
    const known = { 'if-none-match': String(headers.etag) };
    expect((await post('', { context }, known)).status).toBe(304);
    expect((await post('', { context: { targetingKey: 'bob' } }, known)).status).toBe(304);
    expect((await post('', {}, known)).status).toBe(400);
  });
});
