import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';

/**
 * `node test/resilience/earlier-release/make.mjs FOLDER`: runs the release that was checked out and built in the folder, gives
 * it a history, and writes its backup, its folder and its answers here. For a release that is about to be replaced.
 */
const { fetch } = globalThis;
const [release = ''] = process.argv.slice(2);
const here = import.meta.dirname;
const data = mkdtempSync(join(tmpdir(), 'kohort-earlier-'));
const port = 3977;
const base = `http://127.0.0.1:${port}`;
const environment = { PATH: process.env.PATH, DATA_DIR: data, PORT: String(port), NODE_ENV: 'development' };
const running = { cwd: release, env: environment, stdio: 'inherit' };

const service = spawn(process.execPath, ['dist/src/main.js'], running);
while ((await fetch(`${base}/_readyz`).catch(() => null))?.status !== 200) await sleep(200);
const { project_token: token, personal_api_key: key } = JSON.parse(readFileSync(join(data, 'bootstrap.json'), 'utf8'));

const call = async (method, path, body) => {
  const response = await fetch(`${base}/api/projects/1/${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === '' ? null : JSON.parse(text);
};

let state = 7;
/** The same numbers in each run. */
const below = (limit) => {
  state = (state * 1103515245 + 12345) % 2147483648;
  return state % limit;
};
const morningOf = (day) => new Date(Date.UTC(2026, 9, day, 9)).toISOString();

const eventsOf = (number) => {
  const [anonymous, user] = [`anon-${number}`, `user-${number}`];
  const isIdentified = number % 3 !== 0;
  const page = { $current_url: `https://a.example/${'abc'[below(3)]}`, $browser: ['Firefox', 'Safari'][below(2)] };
  const events = [{ event: '$pageview', distinct_id: anonymous, timestamp: morningOf(1 + below(5)), properties: page }];
  if (isIdentified) {
    const person = { plan: ['free', 'pro', 'team'][below(3)], age: 20 + below(40), email: `${user}@example.com` };
    const properties = { $anon_distinct_id: anonymous, $set: person, $set_once: { first: 'x' } };
    events.push({ event: '$identify', distinct_id: user, timestamp: morningOf(6), properties });
  }
  for (let left = below(6); left > 0; left -= 1)
    events.push({
      event: ['paid', 'signed up', 'opened'][below(3)],
      distinct_id: isIdentified ? user : anonymous,
      timestamp: morningOf(7 + below(15)),
      properties: { amount: below(100), note: `ä"\\n${below(9)}` },
    });
  return events;
};

const batch = Array.from({ length: 40 }, (_, number) => eventsOf(number)).flat();
await fetch(`${base}/batch`, { method: 'POST', body: JSON.stringify({ api_key: token, batch }) });

const group = (type, criterion) => ({ properties: { type, values: [criterion] } });
const pro = group('AND', { type: 'person', key: 'plan', value: 'pro', operator: 'exact' });
const paid = group('OR', {
  type: 'behavioral',
  value: 'performed_event',
  key: 'paid',
  event_type: 'events',
  explicit_datetime: '2026-10-01',
  explicit_datetime_to: '2026-10-31',
});
const cohorts = [
  await call('POST', 'cohorts', { name: 'Pro plan', filters: pro }),
  await call('POST', 'cohorts', { name: 'Paid', filters: paid }),
  await call('POST', 'cohorts', { name: 'Testers', is_static: true, distinct_ids: ['user-1', 'user-2', 'anon-3'] }),
];
const gone = await call('POST', 'cohorts', { name: 'Gone', is_static: true, distinct_ids: ['user-1'] });
await call('PATCH', `cohorts/${gone.id}`, { deleted: true });
await call('POST', 'actions', { name: 'Bought', steps: [{ event: 'paid' }] });
await call('POST', 'webhooks', { url: 'https://receiver.invalid/hook', paused: true });

const personOf = async (distinctId) => (await call('GET', `persons?distinct_id=${distinctId}`)).results[0].id;
const merged = await personOf('user-1');
await call('POST', `persons/${merged}/merge`, { distinct_ids: ['user-4'] });
await call('POST', `persons/${await personOf('user-7')}/split`, { main_distinct_id: 'user-7' });
await call('POST', `persons/${await personOf('user-8')}/update_property`, { key: 'plan', value: 'team' });
await call('DELETE', `persons/${await personOf('anon-9')}?delete_events=true`);
await call('DELETE', `persons/${await personOf('anon-12')}`);
while ((await call('GET', 'cohorts?limit=100')).results.some((cohort) => cohort.is_calculating)) await sleep(200);
await sleep(5_000);

const json = (value) => encodeURIComponent(JSON.stringify(value));
const october = 'date_from=2026-10-01&date_to=2026-10-31';
const [ofPaid, ofPages] = [{ id: 'paid' }, { id: '$pageview' }];
const lists = [
  ...['persons?limit=100', 'cohorts?limit=100', 'events?limit=12', 'actions', `persons/cohorts?person_id=${merged}`],
  ...cohorts.map(({ id }) => `cohorts/${id}/persons?limit=100`),
  ...['deletion_requests', 'webhooks', `persons/${merged}/activity`],
];
const insights = [
  `trends?${october}&interval=week&events=${json([{ ...ofPaid, math: 'dau' }, ofPages])}&breakdown=plan&breakdown_type=person`,
  `funnel?${october}&events=${json([
    { ...ofPages, order: 0 },
    { ...ofPaid, order: 1 },
  ])}`,
  `retention?date_to=2026-10-10&period=Day&total_intervals=8&target_entity=${json({ ...ofPages, type: 'events' })}&returning_entity=${json({ ...ofPaid, type: 'events' })}`,
  `stickiness?${october}&events=${json([ofPaid])}`,
  `lifecycle?date_from=2026-10-01&date_to=2026-10-20&events=${json([ofPaid])}`,
].map((insight) => `persons/${insight}&include=insight`);
const questions = [
  'select event, count() from events group by event order by event',
  'select count(), uniq(person_id) from events',
  'select properties.plan, count() from persons group by 1 order by 1',
  "select toString(toDate(timestamp)) d, sum(toFloat(properties.amount)) from events where event = 'paid' group by d order by d",
];

const volatile = /^(as_of|version|next|previous|elapsed_ms|rows_read|last_calculation|received_at|updated_at|.*_url)$/;
const isLink = (value) => typeof value === 'string' && (value.includes('/api/projects/') || value.includes(base));
const lasting = (value) => {
  if (Array.isArray(value)) return value.map(lasting);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).filter(([name, member]) => !volatile.test(name) && !isLink(member));
  return Object.fromEntries(members.map(([name, member]) => [name, lasting(member)]));
};

const answers = [];
for (const path of lists) answers.push({ path, answer: lasting(await call('GET', path)) });
for (const path of insights) {
  const { count, insight } = await call('GET', path);
  answers.push({ path, answer: lasting({ ...(count === undefined ? {} : { count }), insight }) });
}
for (const query of questions) answers.push({ sql: query, answer: (await call('POST', 'query', { query })).results });
const ended = new Promise((resolve) => service.once('exit', resolve));
service.kill('SIGTERM');
await ended;
rmSync(join(here, 'backup'), { recursive: true, force: true });
spawnSync(process.execPath, ['dist/src/cli/main.js', 'backup', '--to', join(here, 'backup')], running);
const recorded = { personal_api_key: key, project_token: token, answers };
writeFileSync(join(here, 'answers.json'), `${JSON.stringify(recorded, null, 1)}\n`);
const tar = spawnSync('tar', ['-cf', '-', '-C', data, '.'], { maxBuffer: 1024 ** 3 }).stdout;
const params = {
  [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  [constants.BROTLI_PARAM_SIZE_HINT]: tar.length,
};
writeFileSync(join(here, 'data.tar.br'), brotliCompressSync(tar, { params }));
rmSync(data, { recursive: true });
