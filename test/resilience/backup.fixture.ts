import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapFile, cli, start, type BootstrapFile, type Env, type RunningProcess } from '../support/process.js';

export const now = '2026-03-01T12:00:00.000Z';
export const password = 'correct horse battery staple';

export interface Scene {
  readonly env: Env;
  readonly file: BootstrapFile;
  readonly cohorts: { readonly dynamic: number; readonly fixed: number };
  readonly action: number;
  /** The session of a user who signed in with a password. */
  readonly cookie: string;
}

export const ask = (
  url: string,
  { file }: Pick<Scene, 'file'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> =>
  fetch(`${url}/api/projects/${file.project_id}/${path}`, {
    method,
    headers: {
      authorization: `Bearer ${file.personal_api_key}`,
      'content-type': 'application/json',
      'x-test-now': now,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const demand = async <T>(answer: Promise<Response>): Promise<T> => {
  const response = await answer;
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? null : await response.json()) as T;
};

export const capture = async (url: string, { file }: Pick<Scene, 'file'>, batch: readonly object[]): Promise<void> => {
  const body = JSON.stringify({ api_key: file.project_token, batch });
  await demand(fetch(`${url}/batch`, { method: 'POST', headers: { 'content-type': 'application/json' }, body }));
};

const event = (name: string, distinctId: string, day: number, properties: object = {}) => ({
  event: name,
  distinct_id: distinctId,
  timestamp: `2026-02-${String(day).padStart(2, '0')}T10:00:00.000Z`,
  properties,
});

/** Merges, a split, a deletion, both kinds of cohorts, an action, and a user with a password. */
export const openScene = async (env: Env): Promise<{ scene: Scene; service: RunningProcess }> => {
  const service = await start(env);
  const file = await bootstrapFile(env.DATA_DIR ?? '');
  const call = <T>(method: string, path: string, body?: unknown) =>
    demand<T>(ask(service.url, { file }, method, path, body));
  await capture(service.url, { file }, [
    event('opened', 'cookie-1', 2, { $set: { plan: 'free' } }),
    event('signed up', 'ada', 3, { price: 4.5, $set: { plan: 'pro', email: 'ada@example.test' } }),
    event('$identify', 'ada', 3, { $anon_distinct_id: 'cookie-1' }),
    event('bought', 'ada', 9, { price: 5 }),
    event('opened', 'ben', 4, { $set: { plan: 'pro' } }),
    event('signed up', 'ben', 5),
    event('$merge_dangerously', 'ben', 6, { alias: 'cleo' }),
    event('bought', 'cleo', 12, { price: 20 }),
    event('opened', 'dora', 6, { $set: { plan: 'free' } }),
    event('$create_alias', 'dora', 6, { alias: 'dora-phone' }),
    event('bought', 'dora-phone', 7, { price: 7 }),
    event('opened', 'emil', 8, { $set: { plan: 'pro' } }),
    event('opened', 'guest', 15, { $process_person_profile: false }),
  ]);
  const personOf = async (distinctId: string): Promise<number> => {
    const { results } = await call<{ results: { person_id: number }[] }>('GET', `events?distinct_id=${distinctId}`);
    return results[0]?.person_id ?? 0;
  };
  await call('POST', `persons/${await personOf('dora')}/split`, { distinct_ids_to_split: ['dora-phone'] });
  await call('DELETE', `persons/${await personOf('emil')}`);
  const plan = { properties: { type: 'AND', values: [{ type: 'person', key: 'plan', value: 'pro' }] } };
  const dynamic = await call<{ id: number }>('POST', 'cohorts?wait=30', { name: 'Pros', filters: plan });
  const persons = [await personOf('ada'), await personOf('dora-phone')];
  const list = { name: 'List', is_static: true, person_ids: persons };
  const fixed = await call<{ id: number }>('POST', 'cohorts?wait=30', list);
  const action = await call<{ id: number }>('POST', 'actions', { name: 'Buys', steps: [{ event: 'bought' }] });
  const invited = await cli(
    env,
    'user',
    'invite',
    '--email',
    'eve@example.test',
    '--owner',
    '--url',
    'https://k.test/',
    '--json',
  );
  const { link } = JSON.parse(invited.stdout) as { link: string };
  const accepted = await fetch(`${service.url}/api/invitations/accept`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token: link.split('=')[1], password }),
  });
  if (accepted.status !== 201) throw new Error(await accepted.text());
  const cookie = accepted.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const scene = { env, file, cohorts: { dynamic: dynamic.id, fixed: fixed.id }, action: action.id, cookie };
  return { scene, service };
};

const series = (...of: object[]): string => encodeURIComponent(JSON.stringify(of));

/** Questions of each kind, as paths. */
const questionsOf = ({ cohorts, action }: Scene): Readonly<Record<string, string>> => {
  const range = 'include=insight&date_from=2026-02-01&date_to=2026-02-28';
  const bought = series({ id: 'bought', math: 'sum', math_property: 'price' }, { id: 'opened', math: 'dau' });
  const inCohort = encodeURIComponent(JSON.stringify([{ key: 'id', type: 'cohort', value: cohorts.fixed }]));
  const inPros = encodeURIComponent(JSON.stringify([{ key: 'id', type: 'cohort', value: cohorts.dynamic }]));
  return {
    trends: `persons/trends?${range}&events=${bought}&breakdown=plan&breakdown_type=person`,
    'trends of an action': `persons/trends?${range}&actions=${series({ id: action })}`,
    'trends of a static cohort': `persons/trends?${range}&events=${bought}&properties=${inCohort}`,
    'trends of a dynamic cohort': `persons/trends?${range}&events=${bought}&properties=${inPros}`,
    funnel: `persons/funnel?${range}&events=${series({ id: 'opened' }, { id: 'signed up' }, { id: 'bought' })}`,
    persons: 'persons?limit=100',
    'members of the static cohort': `cohorts/${cohorts.fixed}/persons`,
    'members of the dynamic cohort': `cohorts/${cohorts.dynamic}/persons`,
    actions: 'actions',
    'the activity log': 'persons/activity',
    'events of one person': 'events?distinct_id=cleo',
  };
};

export const answersOf = async (url: string, scene: Scene): Promise<Record<string, unknown>> => {
  await untilCalculated(url, scene);
  const answers: Record<string, unknown> = {};
  for (const [name, path] of Object.entries(questionsOf(scene)))
    answers[name] = await demand<unknown>(ask(url, scene, 'GET', path));
  return withoutAddress(answers) as Record<string, unknown>;
};

/** Links name the port of the service. */
const withoutAddress = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value).replace(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, 'http://here')) as unknown;

const untilCalculated = async (url: string, scene: Scene): Promise<void> => {
  for (const end = Date.now() + 60_000; ; await sleep(50)) {
    const { results } = await demand<{ results: { is_calculating: boolean }[] }>(ask(url, scene, 'GET', 'cohorts'));
    if (results.every((cohort) => !cohort.is_calculating)) return;
    if (Date.now() > end) throw new Error('the cohorts are still calculated');
  }
};
