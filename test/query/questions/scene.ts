import { type ProjectDto } from '../../../src/projects/project.dto.js';
import { CohortsOf, all, where } from '../../support/cohorts/cohorts-of.js';
import { type ServiceHandle } from '../../support/service-handle.js';

/** The clock of every question. */
export const now = '2024-03-15T12:00:00.000Z';

export const eventUuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

type Sent = readonly [distinctId: string, event: string, time: string, properties: object, set?: object];

const mac = { $os: 'Mac', $browser: 'Chrome' };
const linux = { $os: 'Linux', $browser: 'Firefox' };
const ofAda = {
  email: 'ada@example.test',
  plan: 'pro',
  age: 36,
  tags: ['a', 'b'],
  address: { city: 'London' },
  vip: true,
};
const ofBob = { email: 'bob@example.test', plan: 'free', age: 29, vip: false };
const ofCyd = { email: 'cyd@example.test', plan: 'pro' };

/** Four persons, dan without any properties of his own, and the ghost, which has no person. */
export const sent: readonly Sent[] = [
  ['ada', '$identify', '03-01T08:58:00.000Z', {}, ofAda],
  ['ada', 'signed up', '03-01T09:00:00.000Z', { plan: 'pro', source: 'ad' }],
  [
    'ada',
    '$pageview',
    '03-01T09:05:00.000Z',
    { $pathname: '/home', $current_url: 'https://example.test/home', ...mac },
  ],
  [
    'ada',
    '$pageview',
    '03-01T09:10:00.000Z',
    { $pathname: '/pricing', $current_url: 'https://example.test/pricing?ref=a', ...mac },
  ],
  ['ada', 'purchased', '03-01T10:30:00.000Z', { price: 10.5, quantity: 2, items: ['book', 'pen'], coupon: null }],
  ['bob', 'signed up', '03-02T12:00:00.000Z', { plan: 'free', source: 'ad' }, ofBob],
  ['bob', '$pageview', '03-02T12:20:00.000Z', { $pathname: '/home', ...linux }],
  ['bob', '$pageview', '03-02T12:50:00.000Z', { $pathname: '/docs', ...linux }],
  ['bob', 'purchased', '03-03T08:00:00.000Z', { price: 5, quantity: 1, items: ['pen'], nested: { a: { b: 7 } } }],
  ['cyd', '$pageview', '03-03T09:00:00.000Z', { $pathname: '/home', $os: 'Windows' }, ofCyd],
  ['cyd', 'purchased', '03-08T09:00:00.000Z', { price: 20, quantity: 4, items: [], coupon: 'SPRING' }],
  ['ada', 'purchased', '03-08T10:00:00.000Z', { price: 1.25, quantity: 1, items: ['pen', 'pen', 'cup'] }],
  ['dan', 'signed up', '03-09T23:59:59.999Z', { plan: 'free', source: 'friend' }],
  [
    'dan',
    '$pageview',
    '03-10T00:00:00.000Z',
    { $pathname: '/pricing', $os: 'iOS', 'weird key': 'x', "it's": 'quote', 'a.b': 'dotted' },
  ],
  ['ghost', '$pageview', '03-10T11:00:00.000Z', { $pathname: '/home', price: '12', $process_person_profile: false }],
  ['ada', '$pageview', '03-15T08:00:00.000Z', { $pathname: '/home', $os: 'iOS', flag: true }],
];

export const captured = async (
  service: ServiceHandle,
  { api_token: api_key }: Pick<ProjectDto, 'api_token'>,
  batch: readonly object[],
): Promise<void> => {
  const answer = await service.call('POST', '/batch', { key: null, body: { api_key, batch } });
  const { accepted } = answer.body as { accepted: number };
  if (accepted !== batch.length) throw new Error(`not all events were accepted: ${JSON.stringify(answer.body)}`);
};

export interface Scene {
  readonly beta: number;
  readonly pro: number;
  readonly cohorts: CohortsOf;
}

/** Sends the events; makes the static cohort of ada and bob, the dynamic one of ada and cyd, and an action. */
export const fillScene = async (service: ServiceHandle, project: ProjectDto): Promise<Scene> => {
  const batch = sent.map(([distinct_id, event, time, properties, set], at) => ({
    uuid: eventUuid(at + 1),
    event,
    distinct_id,
    timestamp: `2024-${time}`,
    properties,
    ...(set ? { $set: set } : {}),
  }));
  await captured(service, project, batch);
  const cohorts = new CohortsOf(service, project.id);
  const beta = await cohorts.create({ name: 'Beta testers', is_static: true, distinct_ids: ['ada', 'bob'] });
  const pro = await cohorts.create({ name: "Pro's", filters: all(where('plan', 'pro')) });
  const gone = await cohorts.create({ name: 'Removed', is_static: true, distinct_ids: ['dan'] });
  await cohorts.change(gone.id, { deleted: true });
  const steps = [{ event: 'purchased' }, { event: 'signed up' }];
  const action = await cohorts.call('POST', 'actions', { body: { name: 'Won a customer', steps } });
  if (action.status !== 201) throw new Error(action.text);
  return { beta: beta.id, pro: pro.id, cohorts };
};
