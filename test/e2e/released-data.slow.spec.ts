import { afterAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type MigrationInterface, type QueryRunner } from 'typeorm';
import { knownMigrations, migratePostgres, migratePostgresTo } from '../../src/kernel/stores/migrate.js';
import { clickhouseMigrations } from '../../src/kernel/projection/schema/migrations.js';
import { compile } from '../../src/platform/clickhouse/sql.js';
import { serviceVersion } from '../../src/platform/config/version.js';
import { databases, type Connected } from '../backup/backup.fixture.js';
import { bootstrapFile, cli, removeDir, start, tempDir, terminate, type Env } from '../support/process.js';

/** What a release leaves behind: its schema, data that it has written, and its answers to questions about them. */
interface Released {
  readonly key: string;
  readonly migrations: readonly string[];
  readonly projection: number;
  readonly answers: Readonly<Record<string, unknown>>;
}

const folder = 'test/upgrade';
const run = promisify(execFile);

const { openBare, close } = databases();
afterAll(close);

/** One line for each column, index and constraint. */
const schemaOf = async ({ postgres }: Connected): Promise<string[]> => {
  const { rows } = await postgres.query<{ line: string }>(`
    SELECT format('column %s.%s %s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
             CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
             coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), CASE WHEN a.attidentity <> '' THEN ' DEFAULT' END)) AS line
      FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
    UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT format('constraint %s %s', conrelid::regclass, pg_get_constraintdef(oid))
      FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n'`);
  return rows.map(({ line }) => line).sort();
};

const projectionOf = (last: number): string[] =>
  clickhouseMigrations
    .filter(({ version }) => version <= last)
    .flatMap(({ statements }) => statements({ cluster: null, textIndexes: true }))
    .map((statement) => compile(statement).query.replace(/\s+/g, ' ').trim());

const afterMigrations = async (names: readonly string[]): Promise<Connected> => {
  const connected = await openBare();
  await migratePostgresTo(connected.dataSource, names);
  return connected;
};

/** The parts of `now` that a process which knows only `old` cannot bear. `unused` are columns that it does not use any more. */
const burdensOf = (old: readonly string[], now: readonly string[], unused: readonly string[]): string[] => {
  const columnsOf = (lines: readonly string[]) =>
    lines.flatMap((line) => {
      const [, name = '', type = ''] = /^column (\S+) (.*)$/.exec(line) ?? [];
      return name === '' ? [] : [{ name, type }];
    });
  const [had, has] = [new Map(columnsOf(old).map(({ name, type }) => [name, type])), columnsOf(now)];
  const tables = new Set([...had.keys()].map((name) => name.split('.')[0]));
  const demanded = has.filter(
    ({ name, type }) => tables.has(name.split('.')[0]) && !had.has(name) && /NOT NULL(?! DEFAULT)/.test(type),
  );
  const types = new Map(has.map(({ name, type }) => [name, type]));
  const changed = [...had].filter(([name, type]) => types.get(name) !== type && !unused.includes(name));
  return [
    ...demanded.map(({ name }) => `${name} must be written`),
    ...changed.map(([name]) => `${name} is ${types.get(name) ?? 'gone'}`),
  ];
};

/** Columns that the last release does not use any more, so that this one may drop or change them. */
const unusedColumns: readonly string[] = [];

const questions = [
  'persons',
  'persons?search=ada',
  'cohorts/1/persons',
  'cohorts/2/persons',
  'events?after=2026-01-01&before=2026-01-31',
  'persons/trends?events=[{"id":"paid","math":"sum","math_property":"amount"}]&date_from=2026-01-01&date_to=2026-01-10&include=insight',
  'persons/funnel?events=[{"id":"signed up"},{"id":"paid"}]&date_from=2026-01-01&date_to=2026-01-31&include=insight',
  'insights',
  'webhooks',
  'actions',
];

/** An answer without what differs from one moment to the next. */
const lasting = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(lasting);
  if (typeof node !== 'object' || node === null) return node;
  const passing = /^(as_of|last_calculation|calculated_at|last_refresh|next|previous|is_calculating|version)$/;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => (passing.test(key) ? [] : [[key, lasting(value)]])),
  );
};

const asker = (url: string, key: string) => async (path: string, body?: object) => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const init = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers };
  const answer = await fetch(`${url}/api/projects/1/${path}`, init);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return await answer.json();
};

const answersOf = async (url: string, key: string): Promise<Record<string, unknown>> => {
  const ask = asker(url, key);
  const answers: Record<string, unknown> = {};
  for (const question of questions) answers[question] = lasting(await ask(encodeURI(question)));
  return answers;
};

const property = (key: string, value: string) => ({ type: 'AND', values: [{ type: 'person', key, value }] });

/** Writes something of each kind, and keeps it with the answers about it. */
const keepRelease = async (): Promise<void> => {
  const dir = await tempDir();
  const kept = join(folder, serviceVersion());
  const env: Env = { DATA_DIR: join(dir, 'data'), PROJECTION_WAIT_MS: '60000' };
  const service = await start(env);
  try {
    const { personal_api_key: key, project_token: api_key } = await bootstrapFile(join(dir, 'data'));
    const ask = asker(service.url, key);
    const batch = [
      { event: 'opened', distinct_id: 'device-1', timestamp: '2026-01-01T09:00:00Z' },
      { event: '$identify', distinct_id: 'ada', properties: { $anon_distinct_id: 'device-1' } },
      { event: 'signed up', distinct_id: 'ada', properties: { $set: { plan: 'pro', name: 'ada' } } },
      { event: 'signed up', distinct_id: 'ben', properties: { $set: { plan: 'free' } } },
      { event: 'paid', distinct_id: 'ada', properties: { amount: 79, list: [null, { a: '🙂' }] } },
      { event: 'opened', distinct_id: 'cy', properties: { $process_person_profile: false } },
    ].map((event, at) => ({ timestamp: `2026-01-02T10:0${at}:00Z`, ...event }));
    await fetch(`${service.url}/batch`, { method: 'POST', body: JSON.stringify({ api_key, batch }) });
    await ask('cohorts?wait=20', { name: 'Pro', filters: { properties: property('plan', 'pro') } });
    await ask('cohorts', { name: 'Listed', is_static: true, distinct_ids: ['ben'] });
    await ask('actions', { name: 'Any end', steps: [{ event: 'paid' }] });
    await ask('webhooks', { url: 'https://example.com/hook', cohorts: [1] });
    const params = { events: [{ id: 'paid' }], date_from: '2026-01-01', date_to: '2026-01-10' };
    await ask('insights', { name: 'Paid', question: { type: 'trends', params } });
    const answers = await answersOf(service.url, key);
    await mkdir(kept, { recursive: true });
    const released = { key, migrations: knownMigrations, projection: clickhouseMigrations.length, answers };
    await writeFile(join(kept, 'released.json'), `${JSON.stringify(released, null, 2)}\n`);
    const made = await cli(env, 'backup', '--to', join(dir, 'backup'));
    if (made.code !== 0) throw new Error(made.stderr);
    await run('tar', ['-czf', resolve(kept, 'backup.tar.gz'), '-C', dir, 'backup']);
    const schema = [...(await schemaOf(await afterMigrations(knownMigrations))), ...projectionOf(Infinity)];
    await writeFile(join(kept, 'schema.txt'), `${schema.join('\n')}\n`);
  } finally {
    await terminate(service);
    await removeDir(dir);
  }
};

if (process.env.KEEP_RELEASE) await keepRelease();

const releases = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'released.json')));

describe.each(releases)('the data of release %s', (version) => {
  const kept = join(folder, version);
  const released = JSON.parse(readFileSync(join(kept, 'released.json'), 'utf8')) as Released;
  const lines = readFileSync(join(kept, 'schema.txt'), 'utf8').trim().split('\n');

  it('are opened by this one, whose answers about them are the same', async () => {
    const dir = await tempDir();
    await run('tar', ['-xzf', join(kept, 'backup.tar.gz'), '-C', dir]);
    const env: Env = { DATA_DIR: join(dir, 'data'), PROJECTION_WAIT_MS: '60000' };
    const { code, stderr } = await cli(env, 'restore', '--from', join(dir, 'backup'));
    expect([code, stderr]).toEqual([0, expect.any(String)]);
    const service = await start(env);
    try {
      // A later release may add fields.
      expect(await answersOf(service.url, released.key)).toMatchObject(released.answers);
      const verified = await cli({ ...env, PORT: new URL(service.url).port }, 'projection', 'status', '--json');
      expect(JSON.parse(verified.stdout)).toMatchObject({ waiting_rows: 0 });
    } finally {
      await terminate(service);
      await removeDir(dir);
    }
  });

  it('have the schema that its migrations still make: a released migration is never edited', async () => {
    const postgres = await schemaOf(await afterMigrations(released.migrations));
    expect([...postgres, ...projectionOf(released.projection)]).toEqual(lines);
  });

  it('may be used by its processes while this one migrates: migrations only add what an old process bears', async () => {
    const connected = await afterMigrations(released.migrations);
    const old = await schemaOf(connected);
    await migratePostgres(connected);
    expect(burdensOf(old, await schemaOf(connected), version === releases.at(-1) ? unusedColumns : [])).toEqual([]);
  });
});

describe('a migration', () => {
  const burdens = async (statement: string) => {
    class Later1799999999999 implements MigrationInterface {
      up = (runner: QueryRunner): Promise<void> => runner.query(statement) as Promise<void>;
      down = (): Promise<void> => Promise.resolve();
    }
    const connected = await afterMigrations(knownMigrations);
    const old = await schemaOf(connected);
    const { dataSource } = connected;
    Object.assign(dataSource, { migrations: [...dataSource.migrations, new Later1799999999999()] });
    expect(await migratePostgres(connected)).toEqual(['Later1799999999999']);
    return burdensOf(old, await schemaOf(connected), ['projects.later']);
  };

  it.each([
    ['ALTER TABLE projects ADD COLUMN later integer', []],
    ['ALTER TABLE projects ADD COLUMN later integer NOT NULL DEFAULT 7', []],
    ['CREATE TABLE later (id integer NOT NULL)', []],
    ['CREATE INDEX later ON projects (name)', []],
    ['ALTER TABLE projects ADD COLUMN later integer NOT NULL', ['projects.later must be written']],
    ['ALTER TABLE projects DROP COLUMN timezone', ['projects.timezone is gone']],
    [
      'ALTER TABLE projects RENAME COLUMN timezone TO zone',
      ['projects.zone must be written', 'projects.timezone is gone'],
    ],
    ['ALTER TABLE actions ALTER COLUMN id TYPE bigint', [expect.stringContaining('actions.id is bigint')]],
  ])('%s: %j', async (statement, found) => {
    expect(await burdens(statement)).toEqual(found);
  });
});
