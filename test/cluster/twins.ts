import { Random } from '../fuzz/random.js';
import { CohortsOf, all, did, isIn, where } from '../support/cohorts/cohorts-of.js';
import { importLines, personLine } from '../support/import.js';
import { insightPairs, savedAction, savedActionText } from '../support/insights/parameter-pairs.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';

/** The moment of every question. */
export const now = '2024-03-05T12:00:00Z';

const people = 240;
const names = ['a', 'b', 'c', 'x', 'y', '$pageview'];
const browsers = ['Chrome', 'Firefox', 'Safari'];

/** Every third person has a second distinct id, mostly on the other shard; every fifth id has no person. */
const idsOf = (n: number): readonly string[] => (n % 3 === 0 ? [`p${n}`, `p${n}-phone`] : [`p${n}`]);

const lines = (): object[] => {
  const random = new Random(7, 1);
  const persons = Array.from({ length: people }, (_, n) =>
    personLine(
      idsOf(n),
      { email: `p${n}@x.test`, name: `Person ${n}`, plan: random.pick(['pro', 'free', 'free']), age: 20 + (n % 40) },
      { created_at: new Date(Date.parse('2024-01-01T00:00:00Z') + n * 1_000).toISOString() },
    ),
  );
  const events = Array.from({ length: 6_000 }, (_, n) => {
    const who = random.integer(0, people * 1.25);
    const at = Date.parse('2024-02-20T00:00:00Z') + random.integer(0, 14 * 86_400) * 1_000;
    const event = random.pick(names);
    return {
      type: 'event',
      uuid: `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`,
      event,
      distinct_id: who < people ? random.pick(idsOf(who)) : `ghost ${who}`,
      timestamp: new Date(at).toISOString(),
      properties: {
        ...(who < people ? {} : { $process_person_profile: false }),
        browser: random.pick(browsers),
        n: random.integer(1, 40),
        price: random.integer(1, 4_000) / 4,
        url: `/${random.integer(1, 9)}/`,
        color: random.pick(['red', 'blue']),
        $current_url: `https://x.test/p/${random.integer(1, 12)}`,
        $session_id: `s${Math.floor(who / 2)}`,
      },
    };
  });
  return [...persons, ...events];
};

export interface Twin {
  readonly service: ServiceHandle;
  readonly cohorts: CohortsOf;
  readonly actionId: number;
  /** The cohorts by what they are. */
  readonly cohort: Readonly<Record<'pros' | 'active' | 'listed' | 'both', number>>;
}

const uploaded = Array.from({ length: 60 }, (_, n) => `p${n * 3}`);

/** Persons are merged, split and deleted after cohorts have counted them, and after their events were shipped. */
export const liveTwin = async (service: ServiceHandle): Promise<Twin> => {
  const cohorts = new CohortsOf(service, service.project.id);
  const change = async (method: 'POST' | 'DELETE', path: string, body?: object, query = {}) => {
    const answer = await cohorts.call(method, path, { query, ...(body ? { body } : {}) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
  await importLines(service, service.project.id, lines());
  const action = (await change('POST', 'actions', { name: 'X', steps: [{ event: 'x' }] })) as { id: number };
  const headers = { 'X-Test-Now': now };
  const { id: pros } = await cohorts.create({ name: 'Pros', filters: all(where('plan', 'pro')) }, { headers });
  const { id: active } = await cohorts.create({ name: 'Active', filters: all(did('a')) }, { headers });
  const { id: listed } = await cohorts.create({ name: 'Listed', is_static: true, distinct_ids: uploaded });
  const idOf = async (distinctId: string): Promise<number> => {
    const { body } = await cohorts.call('GET', 'persons', { query: { distinct_id: distinctId } });
    return (body as { results: [{ id: number }] }).results[0].id;
  };
  for (let n = 0; n < 20; n += 1)
    await change('POST', `persons/${await idOf(`p${n}`)}/merge`, { distinct_ids: [`p${n + 100}`, `p${n + 60}`] });
  for (let n = 30; n < 45; n += 3)
    await change('POST', `persons/${await idOf(`p${n}`)}/split`, { main_distinct_id: `p${n}` });
  for (let n = 50; n < 56; n += 1)
    await change('DELETE', `persons/${await idOf(`p${n}`)}`, undefined, { delete_events: String(n % 2 === 0) });
  const { id: both } = await cohorts.create({ name: 'Both', filters: all(isIn(pros), isIn(listed)) }, { headers });
  return { service, cohorts, actionId: action.id, cohort: { pros, active, listed, both } };
};

export interface TwinQuestion {
  readonly name: string;
  readonly ask: (twin: Twin) => Promise<Answer>;
}

const routes: Readonly<Record<string, string>> = { correlation: 'funnel/correlation' };

export const twinInsights: readonly TwinQuestion[] = Object.entries(insightPairs).flatMap(
  ([insight, { base, pairs }]) =>
    Object.entries({ none: { value: undefined }, ...pairs }).map(
      ([parameter, { value, beside = {} }]: [string, { value: unknown; beside?: object }]) => ({
        name: `${insight} by ${parameter}`,
        ask: ({ cohorts, actionId }: Twin) => {
          const body = JSON.stringify({ ...base, ...beside, ...(parameter === 'none' ? {} : { [parameter]: value }) })
            .replaceAll(JSON.stringify(savedAction), String(actionId))
            .replaceAll(savedActionText, String(actionId));
          const query = Object.fromEntries(
            Object.entries(JSON.parse(body) as object).map(([key, each]) => [
              key,
              typeof each === 'string' ? each : JSON.stringify(each),
            ]),
          );
          return cohorts.call('GET', `persons/${routes[insight] ?? insight}`, {
            query,
            headers: { 'X-Test-Now': now },
          });
        },
      }),
    ),
);

const get = (
  name: string,
  path: (twin: Twin) => string,
  query: (twin: Twin) => Record<string, string> = () => ({}),
) => ({
  name,
  ask: (twin: Twin) => twin.cohorts.call('GET', path(twin), { query: query(twin), headers: { 'X-Test-Now': now } }),
});

const inCohort = (id: number, more: object = {}): string =>
  JSON.stringify([{ type: 'cohort', key: 'id', value: id, ...more }]);

export const twinLists: readonly TwinQuestion[] = [
  ...(['pros', 'active', 'listed', 'both'] as const).flatMap((name) => [
    get(`cohort ${name}`, ({ cohort }) => `cohorts/${cohort[name]}`),
    get(`persons of ${name}`, ({ cohort }) => `cohorts/${cohort[name]}/persons`),
    get(
      `CSV of ${name}`,
      ({ cohort }) => `cohorts/${cohort[name]}/persons`,
      () => ({ format: 'csv' }),
    ),
    get(
      `trends of ${name}`,
      () => 'persons/trends',
      ({ cohort }) => ({
        events: '[{"id":"a"}]',
        date_from: '2024-02-20',
        properties: inCohort(cohort[name]),
        include: 'insight',
      }),
    ),
    get(
      `trends without ${name}`,
      () => 'persons/trends',
      ({ cohort }) => ({
        events: '[{"id":"a"}]',
        date_from: '2024-02-20',
        properties: inCohort(cohort[name], { operator: 'not_in' }),
      }),
    ),
  ]),
  get(
    'persons',
    () => 'persons',
    () => ({ limit: '500' }),
  ),
  get(
    'persons by search',
    () => 'persons',
    () => ({ search: 'p1' }),
  ),
  get(
    'persons by property',
    () => 'persons',
    () => ({ properties: '[{"key":"plan","value":"pro","type":"person"}]' }),
  ),
  get(
    'persons by cohort',
    () => 'persons',
    ({ cohort }) => ({ cohort: String(cohort.both) }),
  ),
  get(
    'values',
    () => 'persons/values',
    () => ({ key: 'email' }),
  ),
  get(
    'cohorts of a person',
    () => 'persons/cohorts',
    () => ({ distinct_id: 'p0' }),
  ),
  get(
    'trends by cohorts',
    () => 'persons/trends',
    ({ cohort }) => ({
      events: '[{"id":"a"}]',
      date_from: '2024-02-20',
      breakdown_type: 'cohort',
      include: 'insight',
      breakdown: JSON.stringify([cohort.pros, cohort.listed, 'all']),
    }),
  ),
  get(
    'events',
    () => 'export/events',
    () => ({ format: 'csv' }),
  ),
  get(
    'exported persons',
    () => 'export/persons',
    () => ({ format: 'csv' }),
  ),
];

const statements: readonly string[] = [
  'select event, count(), count(distinct person_id), avg(properties.n), median(properties.price) from events group by event order by event',
  'select person.properties.plan as plan, count() from events group by plan order by plan',
  'select p.id, count() from persons as p join events as e on e.person_id = p.id group by p.id order by p.id limit 50',
  "select id from persons where id in cohort 'Pros' and properties.age > 30 order by id limit 500",
  "select count() from events where person_id in (select person_id from events where event = 'x' and properties.color = 'red')",
  "select e, n from (select event as e, person_id as p, count() as n from events group by e, p) where p in (select id from persons where properties.plan = 'pro') and n > 3 order by n desc, e, p limit 20",
  'select day, sum(n) over (order by day) from (select toStartOfDay(timestamp) as day, count() as n from events group by day) order by day',
  'select * from sessions order by start, person_id limit 30',
  'select quantile(0.9)(properties.price), uniq(distinct_id), min(timestamp), max(timestamp) from events',
  'select event, topK(1)(properties.browser) as b from events group by event order by event',
  "select count() from events as a join events as b on a.person_id = b.person_id where a.event = 'x' and b.event = 'y'",
  'select distinct_id, person_id from events where person_id < 0 order by distinct_id, uuid limit 20',
  'select count() from (select event from events union all select properties.plan from persons)',
];

export const twinStatements: readonly TwinQuestion[] = statements.map((query) => ({
  name: query,
  ask: ({ cohorts }) => cohorts.call('POST', 'query', { body: { query }, headers: { 'X-Test-Now': now } }),
}));

/** Estimates of the rows that a question would read. */
export const twinEstimates: readonly TwinQuestion[] = statements.map((query) => ({
  name: query,
  ask: ({ cohorts }) => cohorts.call('POST', 'query/explain', { body: { query } }),
}));
