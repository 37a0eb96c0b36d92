import { type Random } from './random.js';
import { eventNames, plans, type Scene } from './scene.js';

type Make = (random: Random, scene: Scene) => unknown;

const operators = [
  ...['exact', 'is_not', 'icontains', 'not_icontains', 'regex', 'not_regex', 'gt', 'gte', 'lt', 'lte', 'between'],
  ...['is_set', 'is_not_set', 'is_date_exact', 'is_date_before', 'is_date_after'],
];

const leaf: Make = (random, { mine }) => {
  if (random.chance(0.1)) return { type: 'cohort', key: 'id', value: random.pick(mine.cohorts) };
  const operator = random.chance(0.6) ? 'exact' : random.pick(operators);
  const key = random.pick(['plan', 'email', 'size', 'amount', '$current_url', 'missing']);
  const type = random.pick(['event', 'person']);
  if (operator.endsWith('set')) return { type, key, operator };
  if (operator.includes('date')) return { type, key, operator, value: random.pick(['-7d', '2026-01-01']) };
  if (operator.includes('between')) return { type, key, operator, value: [1, 20] };
  if (/^[gl]te?$/.test(operator)) return { type, key, operator, value: random.pick<unknown>([10, '5', 0.5]) };
  return { type, key, operator, value: random.chance(0.3) ? random.some(plans, 0.6) : random.pick(plans) };
};

const filters: Make = (random, scene) => {
  const leaves = Array.from({ length: random.integer(0, 3) }, () => leaf(random, scene));
  if (random.chance(0.7)) return leaves;
  if (random.chance(0.3)) return { plan__icontains: 'pro', size__gt: 3 };
  return { type: random.pick(['AND', 'OR']), values: [{ type: 'AND', values: leaves }] };
};

const step: Make = (random, scene) => ({
  event: random.pick([...eventNames, null]),
  ...(random.chance(0.3) ? { properties: [leaf(random, scene)] } : {}),
  ...(random.chance(0.3) ? { url: 'https://shop.test/%', url_matching: random.pick(['contains', 'exact']) } : {}),
  ...(random.chance(0.2) ? { text: 'Buy', href: '/pricing' } : {}),
});

const maths = [
  'total',
  'dau',
  'unique_session',
  'weekly_active',
  'sum',
  'avg',
  'p90',
  'first_time_for_user',
  'max_count_per_actor',
];

const entity: Make = (random, scene) => {
  const made: Record<string, unknown> = { id: random.chance(0.1) ? null : random.pick(eventNames) };
  if (random.chance(0.2)) made.properties = [leaf(random, scene)];
  return made;
};

const trendsEntity: Make = (random, scene) => {
  const made = entity(random, scene) as Record<string, unknown>;
  if (random.chance(0.5)) made.math = random.pick(maths);
  if (['sum', 'avg', 'p90'].includes(String(made.math))) made.math_property = 'amount';
  return made;
};

const criterion: Make = (random, scene) => {
  if (random.chance(0.4)) {
    const made = leaf(random, scene) as Record<string, unknown>;
    return made.type === 'event' ? { ...made, type: 'person' } : made;
  }
  const value = random.pick(['performed_event', 'performed_event_multiple', 'performed_event_first_time']);
  return {
    type: 'behavioral',
    value,
    ...(random.chance(0.2)
      ? { key: random.pick(scene.mine.actions), event_type: 'actions' }
      : { key: random.pick(eventNames), event_type: 'events' }),
    time_value: random.integer(1, 30),
    time_interval: random.pick(['day', 'week']),
    ...(value.endsWith('multiple') ? { operator: 'gte', operator_value: random.integer(1, 4) } : {}),
  };
};

const listOf =
  (make: Make, from: number, to: number): Make =>
  (random, scene) =>
    Array.from({ length: random.integer(from, to) }, () => make(random, scene));

const distinctId: Make = (random, { mine, throwaways }) =>
  random.pick(random.chance(0.5) ? mine.distinctIds : throwaways.distinctIds);

const personId: Make = (random, { mine }) => {
  const person = random.pick(mine.persons);
  return random.chance(0.5) ? person.id : person.uuid;
};

const throwawayPersonId: Make = (random, { throwaways }) => {
  const person = random.pick(throwaways.persons);
  return random.chance(0.5) ? person.id : person.uuid;
};

const date: Make = (random) => random.pick(['-7d', '-3d', '-1d', '-24h', 'dStart', '2026-01-01', 'mStart']);

/** What a field of this name means to the service, where its schema says only that it is a text or a list. */
export const plausible: Readonly<Record<string, Make>> = {
  properties: filters,
  events: listOf(entity, 1, 3),
  actions: listOf((random, { mine }) => ({ id: random.pick(mine.actions), order: random.integer(0, 3) }), 0, 2),
  steps: listOf(step, 1, 3),
  exclusions: listOf((random) => ({ id: random.pick(eventNames), funnel_from_step: 0, funnel_to_step: 1 }), 0, 1),
  target_entity: entity,
  returning_entity: entity,
  date_from: date,
  date_to: (random) => random.pick(['now', '-1d', '2026-01-02']),
  target_date: date,
  day: date,
  entrance_period_start: date,
  after: (random) => random.pick(['2026-01-01T00:00:00Z', '2026-11-01']),
  before: (random) => random.pick(['2027-01-01T00:00:00Z', '2026-11-01']),
  breakdown: (random) => random.pick<unknown>(['plan', '$current_url', ['plan', 'size']]),
  breakdowns: (random) =>
    random.pick<unknown>([
      [{ property: 'plan', type: 'person' }],
      [{ property: '$current_url' }, { property: 'size' }],
    ]),
  compare_to: (random) => random.pick(['-1d', '-1w', '-1m']),
  breakdown_value: (random) => random.pick(plans),
  formula: (random) => random.pick(['A', 'A+1', 'A/2', '(A*100)']),
  search: (random) => random.pick(['mine1', 'example.test', 'pro']),
  email: (random) => `mine${random.integer(0, 50)}@example.test`,
  distinct_id: distinctId,
  person_id: personId,
  event: (random) => random.pick(eventNames),
  uuid: (random, { mine }) => random.pick(mine.persons).uuid,
  cohort: (random, { mine }) => random.pick(mine.cohorts),
  key: (random) => random.pick(['plan', 'email', 'size']),
  value: (random) => random.pick<unknown>([...plans, 7, true, { a: [1] }]),
  $unset: (random) => random.pick(['plan', 'nothing']),
  filters: (random, scene) => ({
    properties: { type: random.pick(['AND', 'OR']), values: listOf(criterion, 1, 2)(random, scene) },
  }),
  groups: () => [{ properties: [{ key: 'plan', value: 'pro', type: 'person' }] }],
  ids: listOf(throwawayPersonId, 1, 3),
  persons: listOf(throwawayPersonId, 1, 2),
  person_ids: listOf(personId, 1, 5),
  distinct_ids: listOf((random, { throwaways }) => random.pick(throwaways.distinctIds), 1, 4),
  is_static: (random) => random.chance(0.5),
  deleted: () => false,
  name: (random) => random.pick(['A name', 'Ünïcode 😀', '=1+1']),
  description: () => 'A text',
  timezone: (random) => random.pick(['UTC', 'Europe/Berlin', 'America/St_Johns']),
  test_account_filters: () => [{ key: 'email', operator: 'not_icontains', value: 'test', type: 'person' }],
  scoped_projects: (_, { mine }) => [mine.id],
  path_groupings: () => ['https://shop.test/*'],
  start_point: () => 'https://shop.test/1',
  funnel_filter: (_, __) => ({ events: eventNames.slice(1, 3).map((id) => ({ id })) }),
  local_path_cleaning_filters: () => [{ regex: '\\d+', alias: 'n' }],
  wait: (random) => random.integer(0, 1),
  limit: (random) => random.pick([1, 2, 10, 50, 100]),
  offset: (random) => random.integer(0, 60),
};

export const plausibleTrendsEvents = listOf(trendsEntity, 1, 3);

export const captured: Make = (random, scene) => {
  const event = (): Record<string, unknown> => ({
    event: random.pick([...eventNames, '$identify', '$set']),
    distinct_id: random.chance(0.7) ? `caught-${random.integer(0, 200)}` : distinctId(random, scene),
    properties: { plan: random.pick(plans), $set: { size: random.integer(0, 9) }, amount: random.next() },
    ...(random.chance(0.3) ? { timestamp: new Date(Date.now() - random.integer(0, 1e8)).toISOString() } : {}),
  });
  const token = scene.spare.token;
  const form = random.integer(0, 3);
  if (form === 0) return { api_key: token, ...event() };
  if (form === 1) return [{ ...event(), api_key: token }];
  if (form === 2) return { token, batch: [event(), event()], sent_at: new Date().toISOString() };
  return { api_key: token, batch: Array.from({ length: random.integer(0, 20) }, event) };
};

export const messageTypes = ['identify', 'track', 'page', 'screen', 'group', 'alias'];

export const messages: Make = (random, scene) => {
  const message = (): Record<string, unknown> => ({
    type: random.pick(messageTypes),
    userId: `caught-${random.integer(0, 200)}`,
    event: random.pick(eventNames),
    groupId: 'acme',
    previousId: `earlier-${random.integer(0, 200)}`,
    traits: { plan: random.pick(plans) },
    context: { page: { url: 'https://shop.test/1' }, library: { name: 'fuzz', version: '1' } },
    ...(random.chance(0.5) ? { messageId: `m-${random.integer(0, 1e6)}` } : {}),
    ...(random.chance(0.3) ? { timestamp: new Date(Date.now() - random.integer(0, 1e8)).toISOString() } : {}),
  });
  const writeKey = scene.spare.token;
  if (random.chance(0.5)) return { writeKey, ...message() };
  return { writeKey, sentAt: new Date().toISOString(), batch: Array.from({ length: random.integer(0, 20) }, message) };
};

export const importedLines: Make = (random, scene) => {
  const person = `imported-${random.integer(0, 300)}`;
  const timestamp = new Date(Date.now() - random.integer(0, 1e9)).toISOString();
  const lines = [
    { type: 'person', distinct_ids: [person, `${person}-2`], properties: { plan: random.pick(plans) } },
    {
      type: 'event',
      event: random.pick(eventNames),
      distinct_id: distinctId(random, scene),
      timestamp,
      properties: {},
    },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};
