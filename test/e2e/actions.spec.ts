import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type ActionDto } from '../../src/actions/action.dto.js';
import { type ActivityEntryDto } from '../../src/activity/activity.dto.js';
import { CohortsOf, all, did } from '../support/cohorts/cohorts-of.js';
import { type Answer, type CallOptions, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let project: CohortsOf;

const headers = { 'X-Test-Now': '2024-03-10T12:00:00Z' };

const event = (distinct_id: string, name: string, timestamp: string, properties: object = {}) => ({
  type: 'event',
  event: name,
  distinct_id,
  timestamp,
  properties,
});

const chain = 'a.btn:attr__href="/pricing"href="/pricing"nth-child="1"text="Buy now";div:nth-child="2"text="Offer"';
const elements = [{ tag_name: 'a', $el_text: 'Say "hi"', attr__href: '/x?a="b"' }];

const lines = [
  { type: 'person', distinct_ids: ['ada'], properties: { email: 'ada@example.test' } },
  ...['bob', 'cyd', 'dan', 'eve'].map((id) => ({ type: 'person', distinct_ids: [id] })),
  event('ada', '$pageview', '2024-03-05T10:00:00Z', { $current_url: 'https://shop.test/Checkout?step=1' }),
  event('ada', 'paid', '2024-03-05T10:20:00Z', { plan: 'pro' }),
  event('bob', '$pageview', '2024-03-05T10:00:00Z', { $current_url: 'https://shop.test/checkout' }),
  event('cyd', '$autocapture', '2024-03-06T10:00:00Z', { $el_text: 'Buy now', $elements_chain: chain }),
  event('dan', '$autocapture', '2024-03-06T10:00:00Z', { $elements: elements }),
  event('eve', 'paid', '2024-03-06T10:00:00Z', { plan: 'free' }),
];

beforeAll(async () => {
  service = await sharedService();
  project = new CohortsOf(service, service.project.id);
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const sent = { body, headers: { 'content-type': 'application/x-ndjson' } };
  expect((await project.call('POST', 'import', sent)).body).toMatchObject({ persons: 5, events: 6, rejected: [] });
});
afterAll(() => service.stop());

const make = async (steps: readonly object[], more: object = {}): Promise<ActionDto> => {
  const answer = await project.call('POST', 'actions', { body: { name: 'An action', steps, ...more } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as ActionDto;
};

const ask = (path: string, parameters: Readonly<Record<string, unknown>>): Promise<Answer> => {
  const texts = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  const query = Object.fromEntries(texts) as CallOptions['query'];
  return project.call('GET', `persons/${path}`, { headers, query: { ...query } });
};

const march = { date_from: '2024-03-04', date_to: '2024-03-07' };

const namesOf = (answer: Answer): string[] => {
  if (answer.status !== 200) throw new Error(answer.text);
  return (answer.body as { results: { distinct_ids: string[] }[] }).results
    .map(({ distinct_ids: [id = ''] }) => id)
    .sort();
};

const matched = async (...steps: object[]): Promise<string[]> => {
  const { id } = await make(steps);
  return namesOf(await ask('trends', { ...march, actions: [{ id, math: 'dau' }], include: 'persons' }));
};

describe('an action', () => {
  it('is made, read, listed, changed and deleted, and each change is logged', async () => {
    const made = await make(
      [
        { event: 'paid', text: '' },
        { url: '/x', url_matching: 'exact' },
      ],
      { name: 'Made' },
    );
    const nothing = { event: null, properties: [], url: null, url_matching: 'contains', href: null, text: null };
    const steps = [
      { ...nothing, event: 'paid' },
      { ...nothing, url: '/x', url_matching: 'exact' },
    ];
    expect(made).toMatchObject({ name: 'Made', description: '', steps, created_by: { email: service.email } });
    const path = `actions/${made.id}`;
    expect((await project.call('GET', path)).body).toEqual(made);
    const list = await project.call('GET', 'actions', { query: { search: 'mAD' } });
    expect(list.body).toEqual({ count: 1, next: null, previous: null, results: [made] });

    const sentBack = { ...made, name: 'Changed', description: 'why' };
    const changed = await project.call('PATCH', path, { body: sentBack });
    expect([changed.status, changed.body]).toEqual([200, sentBack]);
    expect((await project.call('PATCH', path, { body: { name: 'Changed' } })).status).toBe(200);
    expect((await project.call('DELETE', path)).status).toBe(204);
    for (const method of ['GET', 'PATCH', 'DELETE'] as const) {
      const { status, body } = await project.call(method, path, method === 'PATCH' ? { body: {} } : {});
      expect([method, status, body]).toEqual([
        method,
        404,
        expect.objectContaining({ detail: `there is no action ${made.id}` }),
      ]);
    }

    const log = await project.call('GET', 'activity', { query: { scope: 'Action', limit: 100 } });
    const entries = (log.body as { results: ActivityEntryDto[] }).results.filter(
      ({ item_id: id }) => id === String(made.id),
    );
    expect(entries.map(({ activity, detail }) => [activity, detail.changes.map(({ field }) => field)])).toEqual([
      ['deleted', [null]],
      ['updated', ['name', 'description']],
      ['created', [null]],
    ]);
  });

  it('is made once for each Idempotency-Key', async () => {
    const sent = { body: { name: 'Once', steps: [{}] }, headers: { 'Idempotency-Key': randomUUID() } };
    const [first, second] = [await project.call('POST', 'actions', sent), await project.call('POST', 'actions', sent)];
    expect([first.status, second.status, second.body]).toEqual([201, 201, first.body]);
    expect(second.headers['idempotent-replayed']).toBe('true');
  });

  it('needs a scope of its own', async () => {
    const { text: key } = await service.newKey({ scopes: ['action:read', 'cohort:write'] });
    expect((await project.call('GET', 'actions', { key })).status).toBe(200);
    const refused = await project.call('POST', 'actions', { key, body: { name: 'No', steps: [{}] } });
    expect([refused.status, refused.headers['x-required-scopes']]).toEqual([403, 'action:write']);
  });

  it.each<[string, object, string]>([
    ['no name', { steps: [{}] }, 'name'],
    ['no steps', { name: 'x' }, 'steps'],
    ['an empty list of steps', { name: 'x', steps: [] }, 'steps'],
    ['a step that is no object', { name: 'x', steps: ['paid'] }, 'steps'],
    ['too many steps', { name: 'x', steps: Array.from({ length: 21 }, () => ({})) }, 'steps'],
    ['an unknown field', { name: 'x', steps: [{ evnt: 'paid' }] }, 'steps.0.evnt'],
    ['a selector', { name: 'x', steps: [{ selector: 'a.btn' }] }, 'steps.0.selector'],
    ['an unknown matching', { name: 'x', steps: [{ url: '/', url_matching: 'like' }] }, 'steps.0.url_matching'],
    ['a NUL', { name: 'x', steps: [{ url: 'a\0' }] }, 'steps.0.url'],
    ['a bad expression', { name: 'x', steps: [{}, { url: '(', url_matching: 'regex' }] }, 'steps.1.url'],
    [
      'a bad filter',
      { name: 'x', steps: [{ properties: [{ key: 'a', operator: 'gt' }] }] },
      'steps.0.properties.0.value',
    ],
    [
      'an unknown cohort',
      { name: 'x', steps: [{ properties: [{ type: 'cohort', key: 'id', value: 99 }] }] },
      'steps.0.properties.0.value',
    ],
    [
      'too many filters',
      { name: 'x', steps: [{ properties: Array.from({ length: 101 }, () => ({ key: 'a', value: 1 })) }] },
      'steps',
    ],
    [
      'too much text',
      { name: 'x', steps: [{ properties: [{ key: 'a', value: Array(30).fill('x'.repeat(999)) }] }] },
      'steps',
    ],
  ])('with %s is refused', async (_, body, attr) => {
    const answer = await project.call('POST', 'actions', { body });
    expect([answer.status, answer.body]).toEqual([400, expect.objectContaining({ attr })]);
  });

  it.each<[object, string[]]>([
    [{ url: '/Checkout' }, ['ada']],
    [{ url: 'heckout', url_matching: 'contains' }, ['ada', 'bob']],
    [{ url: 'shop.test%step=1' }, ['ada']],
    [{ url: 'shop_test' }, []],
    [{ url: 'shop.tes%' }, ['ada', 'bob']],
    [{ url: 'https://shop.test/checkout', url_matching: 'exact' }, ['bob']],
    [{ url: '/checkout$', url_matching: 'regex' }, ['bob']],
    [{ text: 'Buy now' }, ['cyd']],
    [{ text: 'Offer' }, ['cyd']],
    [{ text: 'Buy' }, []],
    [{ text: 'Say "hi"' }, ['dan']],
    [{ href: '/pricing' }, ['cyd']],
    [{ href: '/x?a="b"' }, ['dan']],
    [{ href: '/x', text: 'Buy now' }, []],
    [{ event: 'paid' }, ['ada', 'eve']],
    [{ event: 'paid', properties: [{ key: 'plan', value: 'free' }] }, ['eve']],
    [{ properties: [{ type: 'person', key: 'email', operator: 'is_set' }] }, ['ada']],
    [{ event: '$pageview', url: '%', properties: { type: 'OR', values: [{ key: 'plan', value: 'free' }] } }, []],
    [{}, ['ada', 'bob', 'cyd', 'dan', 'eve']],
  ])('with the step %j matches the events of %j', async (step, persons) => {
    expect(await matched(step)).toEqual(persons);
  });

  it('matches what any of its steps matches', async () => {
    expect(await matched({ text: 'Buy now' }, { event: 'paid', url: 'nowhere' }, { event: '$pageview' })).toEqual([
      'ada',
      'bob',
      'cyd',
    ]);
  });
});

describe('a question that names an action', () => {
  const steps = [{ event: '$pageview', url: 'heckout' }, { event: 'paid' }];
  const any_of = [
    { id: '$pageview', properties: [{ key: '$current_url', operator: 'icontains', value: 'heckout' }] },
    { id: 'paid' },
  ];
  const pro = [{ key: 'plan', value: 'pro' }];
  let id: number;

  beforeAll(async () => {
    ({ id } = await make(steps, { name: 'Shopping' }));
  });

  it.each<[string, (named: object) => object, object, readonly string[]]>([
    ['trends', (named) => named, { series: [{ label: 'Shopping', count: 4 }] }, ['ada', 'bob', 'eve']],
    ['stickiness', (named) => named, { series: [{ label: 'Shopping', data: [3, 0, 0, 0] }] }, ['ada', 'bob', 'eve']],
    ['lifecycle', (named) => named, { dormant: [0, 0, -2, -1] }, ['ada', 'bob', 'eve']],
    [
      'path',
      (named) => named,
      { edges: [{ source: '1_https://shop.test/Checkout?step=1', target: '2_paid' }] },
      ['ada', 'bob', 'eve'],
    ],
    [
      'funnel',
      (named) => ({ ...named, events: [{ id: 'paid', order: 1 }], funnel_step: 2 }),
      { steps: [{ name: 'Shopping', count: 3 }, { count: 1 }] },
      ['ada'],
    ],
    [
      'funnel/correlation',
      (named) => ({ ...named, events: [{ id: 'paid', order: 1 }] }),
      { success_total: 1, failure_total: 2 },
      ['ada', 'bob', 'eve'],
    ],
  ])('%s answers as for the same alternatives in any_of', async (path, parametersOf, insight, persons) => {
    const byAction = await ask(path, { ...march, ...parametersOf({ actions: [{ id, order: 0 }] }) });
    const { events = [] } = parametersOf({}) as { events?: object[] };
    const alternatives = { name: 'Shopping', any_of, order: 0 };
    const byParts = await ask(path, { ...march, ...parametersOf({}), events: [alternatives, ...events] });
    const both = [byAction, byParts].map(({ status, body }) => {
      const { results, insight: reported } = body as { results: { id: number }[]; insight: object };
      return { status, results, insight: { ...reported, as_of: '' } };
    });
    expect(both[0]).toEqual(both[1]);
    expect(both[0]?.insight).toMatchObject(insight);
    expect(namesOf(byAction)).toEqual(persons);
  });

  it('knows it as the target and the return of retention, and as an exclusion of a funnel', async () => {
    const named = { id, type: 'actions' };
    const retention = { target_entity: named, returning_entity: named, total_intervals: 2, date_to: '2024-03-06' };
    const answer = await ask('retention', retention);
    expect(answer.body).toMatchObject({ count: 2, insight: { matrix: [[2, 0], [1]] } });
    const funnel = { ...march, events: [{ id: '$pageview' }, { id: 'paid' }] };
    expect(await ask('funnel', funnel)).toMatchObject({ body: { insight: { steps: [{ count: 2 }, { count: 1 }] } } });
    const { id: first } = await make([{ event: 'paid', properties: pro }]);
    const excluding = [{ id: first, type: 'actions', funnel_from_step: 0, funnel_to_step: 1 }];
    const excluded = { ...march, events: [{ id: '$pageview' }, { id: 'never' }], exclusions: excluding };
    expect(await ask('funnel', excluded)).toMatchObject({ body: { insight: { steps: [{ count: 1 }, { count: 0 }] } } });
  });

  it('restricts each step by the filters beside it', async () => {
    const answer = await ask('trends', { ...march, actions: [{ id, properties: pro }], include: 'persons' });
    expect(namesOf(answer)).toEqual(['ada']);
  });

  it('sorts events and actions together, and selects a series by its action', async () => {
    const requested = {
      ...march,
      events: [{ id: '$autocapture', order: 1 }],
      actions: [{ id, order: 0, custom_name: 'Mine' }],
    };
    const labels = (await ask('trends', requested)).body as { insight: { series: { label: string }[] } };
    expect(labels.insight.series.map(({ label }) => label)).toEqual(['Mine', '$autocapture']);
    const selected = { ...requested, entity_id: String(id), entity_type: 'actions', include: 'persons' };
    expect(namesOf(await ask('trends', selected))).toEqual(['ada', 'bob', 'eve']);
    const alone = { ...march, entity_id: String(id), entity_type: 'actions', include: 'persons' };
    expect(namesOf(await ask('stickiness', alone))).toEqual(['ada', 'bob', 'eve']);
    const unknown = await ask('trends', { ...requested, entity_id: '$autocapture', entity_type: 'actions' });
    expect([unknown.status, unknown.body]).toEqual([400, expect.objectContaining({ attr: 'entity_id' })]);
  });

  it('takes the steps of a funnel inside paths instead of those beside it', async () => {
    const funnel_filter = { actions: [{ id }], funnel_step: 1 };
    const beside = { ...march, events: [{ id: 'never' }], funnel_paths: 'after_step', funnel_filter };
    expect(namesOf(await ask('path', beside))).toEqual(['ada', 'bob', 'eve']);
  });

  it.each<[string, object, string, string]>([
    ['trends', { actions: [{ id: 999_999 }] }, 'actions.0.id', 'there is no action 999999'],
    ['trends', { actions: [{ id: 'paid' }] }, 'actions.0.id', 'must be the id of an action'],
    ['trends', { actions: [{}] }, 'actions.0.id', 'is required'],
    ['trends', { actions: [{ id: 1, type: 'events' }] }, 'actions.0.type', 'must be actions'],
    ['trends', { events: [{ id: 'a', type: 'groups' }] }, 'events.0.type', 'must be one of events, actions'],
    [
      'trends',
      { events: [{ name: 'x', any_of: [{ id: '1', type: 'actions' }] }] },
      'events.0.any_of.0.type',
      'must be events',
    ],
    ['retention', { target_entity: { id: 999_999, type: 'actions' } }, 'target_entity.id', 'there is no action 999999'],
    [
      'funnel',
      { events: [{ id: 'a' }, { id: 'b' }], exclusions: [{ id: 999_999, type: 'actions' }] },
      'exclusions.0.id',
      'there is no action 999999',
    ],
    [
      'path',
      { funnel_paths: 'after_step', funnel_filter: { actions: [{ id: 999_999 }] } },
      'funnel_filter.actions.0.id',
      'there is no action 999999',
    ],
  ])('%s refuses %j', async (path, parameters, attr, detail) => {
    const answer = await ask(path, parameters as Record<string, unknown>);
    expect([answer.status, answer.body]).toEqual([
      400,
      expect.objectContaining({ attr, detail: expect.stringContaining(detail) }),
    ]);
  });

  it('refuses more events and steps of actions than a question may have', async () => {
    const { id: large } = await make(Array.from({ length: 20 }, (_, n) => ({ event: `e${n}` })));
    const refused = await ask('trends', { actions: Array(26).fill({ id: large }) });
    expect([refused.status, (refused.body as { attr: string }).attr]).toEqual([400, 'events']);
    const tooMany = await ask('funnel', { events: Array(11).fill({ id: 'a' }), actions: Array(10).fill({ id }) });
    expect([tooMany.status, (tooMany.body as { attr: string }).attr]).toEqual([400, 'events']);
  });

  it('refuses an action of another project in the words for one that does not exist', async () => {
    const other = new CohortsOf(service, (await service.newProject()).id);
    const { body } = await other.call('POST', 'actions', { body: { name: 'Foreign', steps: [{}] } });
    const foreign = (body as ActionDto).id;
    const answer = await ask('trends', { actions: [{ id: foreign }] });
    expect(answer.body).toMatchObject({
      status: 400,
      detail: `actions.0.id must be the id of an action of this project: there is no action ${foreign}`,
    });
  });
});

describe('a cohort that names an action', () => {
  const on = (id: number, more: object = {}) =>
    did('', { key: id, event_type: 'actions', time_value: 1, time_interval: 'month', ...more });

  it('has the persons who did any of its steps, also in the oldest form and in a sequence', async () => {
    const { id } = await make([{ event: '$pageview', url: 'heckout' }, { text: 'Buy now' }]);
    const { id: paid } = await make([{ event: 'paid' }]);
    const create = (body: object) => project.create(body, { headers });
    const cohort = await create({ filters: all(on(id)) });
    expect(await project.names(cohort.id)).toEqual(['ada', 'bob', 'cyd']);
    const filtered = await create({ filters: all(on(paid, { event_filters: [{ key: 'plan', value: 'free' }] })) });
    expect(await project.names(filtered.id)).toEqual(['eve']);
    const sequence = { value: 'performed_event_sequence', seq_event: paid, seq_event_type: 'actions' };
    const then = { ...sequence, seq_time_value: 2, seq_time_interval: 'hour' };
    expect(await project.names((await create({ filters: all(on(id, then)) })).id)).toEqual(['ada']);
    const groups = [{ action_id: id, days: 30, count: 1, count_operator: 'gte' }];
    const old = await create({ groups });
    expect(await project.names(old.id)).toEqual(['ada', 'bob', 'cyd']);
    expect(old.filters).toMatchObject({ properties: { values: [{ values: [{ key: id, event_type: 'actions' }] }] } });

    const preview = await project.call('POST', 'cohorts/preview', { body: { filters: all(on(id)) }, headers });
    expect(preview.body).toMatchObject({ count: 3 });
    const ada = await project.ofDistinctId('ada');
    const explained = await project.call('GET', `cohorts/${cohort.id}/explain`, {
      query: { person_id: ada.id },
      headers,
    });
    expect(explained.body).toMatchObject({
      member: true,
      holds: true,
      criteria: [{ type: 'behavioral', key: String(id), held: true, seen: { times: 1 } }],
    });
  });

  it('finds a step without a name among all events, and one about persons', async () => {
    const anyNamed = await make([{ properties: [{ key: 'plan', operator: 'is_set' }] }, { event: 'never' }]);
    const byPerson = await make([{ properties: [{ type: 'person', key: 'email', operator: 'is_set' }] }]);
    const both = await project.create({ filters: all(on(anyNamed.id), on(byPerson.id)) }, { headers });
    expect(await project.names(both.id)).toEqual(['ada']);
  });

  it('is calculated again when the action changes, and not when only its name does', async () => {
    const { id } = await make([{ event: '$pageview' }]);
    const cohort = await project.create({ filters: all(on(id)) }, { headers });
    expect(await project.names(cohort.id)).toEqual(['ada', 'bob']);
    await project.call('PATCH', `actions/${id}`, { body: { name: 'Renamed' }, headers });
    expect(await project.cohort(cohort.id)).toMatchObject({ is_calculating: false, version: cohort.version });
    await project.call('PATCH', `actions/${id}`, { body: { steps: [{ event: 'paid' }] }, headers });
    for (let tries = 0; tries < 100 && (await project.cohort(cohort.id)).version === cohort.version; tries += 1)
      await new Promise((resolve) => setTimeout(resolve, 100));
    expect(await project.names(cohort.id)).toEqual(['ada', 'eve']);
  });

  it('protects the action from deletion while it lives, and then cannot be restored without it', async () => {
    const { id } = await make([{ event: 'paid' }]);
    const cohort = await project.create({ name: 'Payers', filters: all(on(id)) }, { headers });
    const refused = await project.call('DELETE', `actions/${id}`);
    expect([refused.status, refused.body]).toEqual([
      409,
      expect.objectContaining({ detail: expect.stringContaining(`"Payers" (${cohort.id})`) }),
    ]);
    await project.change(cohort.id, { deleted: true });
    expect((await project.call('DELETE', `actions/${id}`)).status).toBe(204);
    const restored = await project.call('PATCH', `cohorts/${cohort.id}`, { body: { deleted: false } });
    expect([restored.status, restored.body]).toEqual([
      400,
      expect.objectContaining({
        attr: 'filters.properties.values.0.key',
        detail: expect.stringContaining(`there is no action ${id}`),
      }),
    ]);
  });

  it('refuses an unknown action and one whose steps filter by a cohort, now or later', async () => {
    const { id: cohort } = await project.create({ filters: all(did('paid')) }, { headers });
    const inCohort = [{ event: 'paid', properties: [{ type: 'cohort', key: 'id', value: cohort }] }];
    const { id: filtering } = await make(inCohort);
    const { id: plain } = await make([{ event: 'paid' }]);
    for (const key of [filtering, 999_999, 'paid']) {
      const answer = await project.call('POST', 'cohorts', { body: { name: 'x', filters: all(on(0, { key })) } });
      expect([key, answer.status, (answer.body as { attr: string }).attr]).toEqual([
        key,
        400,
        'filters.properties.values.0.key',
      ]);
    }
    expect(namesOf(await ask('trends', { ...march, actions: [{ id: filtering }], include: 'persons' }))).toEqual([
      'ada',
      'eve',
    ]);
    await project.create({ name: 'Named', filters: all(on(plain)) }, { headers });
    const later = await project.call('PATCH', `actions/${plain}`, { body: { steps: inCohort } });
    expect([later.status, (later.body as { attr: string }).attr]).toEqual([409, 'steps']);
  });
});
