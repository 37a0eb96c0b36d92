import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldersApart } from '../../jest.config.mjs';
import { freePort } from './clickhouse/server.mjs';
import { startPgBouncer } from './pgbouncer.mjs';
import { logsStatementsForNodes, sentToSeveralNodes } from './statements-for-nodes.mjs';

/**
 * Runs specs with TEST_DATABASE_URL naming Debian's PostgreSQL, started for the while, and a ClickHouse server, or with --cluster
 * two shards: those that are named, or else the brief ones of those that use the HTTP interface. EVERY_CASE=1 runs the slow ones too.
 * With --citus, PostgreSQL is a coordinator of Citus and two workers: those of CITUS_URL, the URLs of superusers with spaces between
 * them, the coordinator's first, or else ones that are started for the while. Debian has no Citus: build it from its sources. Nodes of
 * CITUS_URL need the settings of `ofCitus`, a coordinator that may log in at the workers, and no other use.
 * A ClickHouse server needs `cc`: a few lines of C start it from the engine of chdb. It has no Keeper, so replication is not tested.
 * With PGBOUNCER=/path/of/pgbouncer (1.21 or newer) the service reaches PostgreSQL through it.
 */
const isCluster = process.argv.includes('--cluster');
const isCitus = process.argv.includes('--citus');
const analytics = isCluster ? 'two ClickHouse shards' : 'a ClickHouse server';
const isSlow = new RegExp(`^test/(?:${foldersApart.join('|')})/|\\.slow\\.spec`);
const specs = readdirSync('test', { recursive: true, encoding: 'utf8' })
  .map((name) => join('test', name))
  .filter((name) => name.endsWith('.spec.ts') && !name.endsWith('.long.spec.ts'))
  .filter((name) => process.env.EVERY_CASE || !isSlow.test(name))
  .sort();
const ofInterface = /^test\/(?:cohorts|conformance|e2e|query|security)\//;

/** Those whose answers come from ClickHouse. One reads plans of the engine, of which a cluster shows only a part. */
const ofClickHouse = (spec) => onCluster.some((pattern) => pattern.test(spec)) && !/persons-search-sql/.test(spec);
const onCluster = [
  /^test\/(?:conformance|query|cohorts)\//,
  /^test\/e2e\/(?:\w+-)*(?:cohorts?|funnel|paths|trends|retention|stickiness|insights?|parameters-matter|query)\b/,
  /^test\/e2e\/(?:persons|merged|deletions|export|catalogue|timeline|live-summary|nothing-left|dashboards|event-properties)/,
  /^test\/resilience\/(?:projection-rebuild|removed-events|parked-shipments|deletions|expiry|cohorts)\b/,
];

/**
 * On Citus also those that start processes or keep what the interface shows in their own stores. The others of outages kill an
 * embedded PostgreSQL, or read an outbox into which nothing has been collected.
 */
const onCitus =
  /^test\/stores\/projection\/collect|^test\/(?:citus|linearizability)\/|^test\/resilience\/(?:cohorts|live|lost-commits|rebuild-under-load|rotation|several-processes|webhooks)\.spec/;
const chosen = () => {
  if (isCluster) return specs.filter(ofClickHouse);
  return specs.filter((spec) => ofInterface.test(spec) || (isCitus && onCitus.test(spec)));
};
/** They measure times, which are promised where nothing else has the processors: they run one by one, last. */
const ofTimes =
  /^test\/(?:citus\/kills-of-nodes|e2e\/(?:key-rotation|live|live-ends|lost-rights|token-rotation)|resilience\/(?:live|lost-commits|rotation|several-processes)|security\/(?:costly-questions|hostile-capture|http-edges))(?:\.slow)?\.spec/;
/** The three nodes of Citus have work of their own for each database. */
const fewerWorkers = isCitus ? ['--maxWorkers=2'] : [];
const runsOf = (paths) => {
  const timed = paths.filter((path) => ofTimes.test(path));
  const others = paths.filter((path) => !ofTimes.test(path));
  return [
    ...(others.length > 0 ? [['--runTestsByPath', ...fewerWorkers, ...others]] : []),
    ...(timed.length > 0 ? [['--runTestsByPath', '--runInBand', ...timed]] : []),
  ];
};
const ofCitus = [
  'shared_preload_libraries=citus',
  'max_connections=300',
  'max_prepared_transactions=300',
  'wal_level=logical',
  'citus.shard_count=8',
  logsStatementsForNodes,
  // A copy of the template does not have the settings of its database.
  'citus.multi_shard_modify_mode=sequential',
  'plan_cache_mode=force_custom_plan',
];
const root = '/usr/lib/postgresql';
const version = existsSync(root)
  ? readdirSync(root)
      .filter((name) => existsSync(join(root, name, 'bin', 'postgres')))
      .sort()[0]
  : undefined;
const named = process.argv.slice(2).filter((argument) => !['--cluster', '--citus'].includes(argument));
let failed = false;
for (const words of named.length > 0 ? [named] : runsOf(chosen())) failed = !(await onServers(words)) || failed;
process.exit(failed ? 1 : 0);

/** Runs Jest on servers of its own; returns whether it passed, and on Citus no statement about a project went to several nodes. */
async function onServers(words) {
  const { env, stop, readLog } = await startServers();
  const child = spawn('npm', ['run', 'jest', '--', ...words], { stdio: 'inherit', env });
  const [code] = await once(child, 'exit');
  const spread = isCitus ? sentToSeveralNodes(readLog()) : [];
  for (const statement of spread) console.error(`names a project, but goes to several nodes: ${statement}`);
  await stop();
  return code === 0 && spread.length === 0;
}

async function startServers() {
  const env = { ...process.env, TEST_SERVERS: isCluster ? 'cluster' : 'server' };
  if (isCitus && process.env.CITUS_URL) {
    const [coordinator, ...nodes] = process.env.CITUS_URL.trim().split(/\s+/);
    if (nodes.length === 0)
      throw new Error('CITUS_URL: name the workers behind the coordinator, with spaces between the URLs');
    console.log(
      `tests run against the Citus of CITUS_URL with ${nodes.length} workers, whose logs are not read, and ${analytics}`,
    );
    env.TEST_DATABASE_URL = coordinator;
    env.TEST_CITUS_WORKERS = nodes.join(' ');
    return { env, stop: async () => {}, readLog: () => '' };
  }
  if (!version) {
    console.warn(
      `!!! NO DEBIAN POSTGRESQL HERE: apt-get install postgresql. Tests run against the embedded PostgreSQL and ${analytics}`,
    );
    return { env, stop: async () => {}, readLog: () => '' };
  }
  const bin = join(root, version, 'bin');
  if (isCitus && !existsSync(join('/usr/share/postgresql', version, 'extension/citus.control')))
    throw new Error(`PostgreSQL ${version} has no Citus: build it from its sources and install it`);
  const [postgres, ...workers] = await Promise.all(Array.from({ length: isCitus ? 3 : 1 }, () => startPostgres(bin)));
  const stops = [postgres, ...workers].map((server) => server.stop);
  env.TEST_DATABASE_URL = postgres.url;
  if (isCitus) env.TEST_CITUS_WORKERS = workers.map(({ url }) => url).join(' ');
  if (process.env.PGBOUNCER) {
    const port = await freePort();
    const { port: postgresPort } = new URL(postgres.url);
    const account = process.getuid() === 0 ? accountOf('postgres') : {};
    const users = ['kohort_service'];
    const pooler = await startPgBouncer({ program: process.env.PGBOUNCER, postgresPort, port, users, account });
    env.TEST_POOLER_PORT = String(port);
    stops.unshift(() => pooler.stop());
  }
  const pooled = env.TEST_POOLER_PORT ? ', through PgBouncer,' : '';
  const nodes = isCitus ? ' with Citus, a coordinator and two workers,' : '';
  console.log(`tests run against Debian's PostgreSQL ${version}${nodes}${pooled} and ${analytics}`);
  const stop = async () => {
    for (const each of stops) await each();
  };
  return { env, stop, readLog: postgres.readLog };
}

async function startPostgres(bin) {
  const data = mkdtempSync(join(tmpdir(), 'kohort-debian-'));
  const account = process.getuid() === 0 ? accountOf('postgres') : {};
  if (account.uid) chownSync(data, account.uid, account.gid);
  const run = { ...account, cwd: data, env: { PATH: process.env.PATH }, stdio: 'ignore' };
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'kohort_admin', '--auth=trust', '--encoding=UTF8', '--locale=C', '-N'],
    run,
  );
  if (made.status !== 0) throw new Error(`initdb failed with ${made.status}`);
  const port = await freePort();
  const log = join(data, 'server.log');
  const server = spawn(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-p',
      String(port),
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'unix_socket_directories=',
      '-c',
      'fsync=off',
      ...(isCitus ? ofCitus.flatMap((setting) => ['-c', setting]) : []),
    ],
    { ...run, stdio: ['ignore', 'ignore', openSync(log, 'w')] },
  );
  const ready = () => spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)]).status === 0;
  for (let n = 0; n < 100 && !ready(); n += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  return {
    url: `postgres://kohort_admin@127.0.0.1:${port}/postgres`,
    readLog: () => readFileSync(log, 'utf8'),
    stop: async () => {
      server.kill('SIGINT');
      await once(server, 'exit');
      rmSync(data, { recursive: true, force: true });
    },
  };
}

function accountOf(name) {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`));
  if (!line) throw new Error(`no user ${name}, which must run PostgreSQL for root`);
  const [, , uid, gid] = line.split(':');
  return { uid: Number(uid), gid: Number(gid) };
}
