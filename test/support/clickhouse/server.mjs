import { execFile, spawn } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/**
 * Starts a ClickHouse server as a process of its own: the HTTP interface of the engine that the package chdb ships, with
 * the limits of a real server. It has no Keeper. Ends with the process that has started it. `isReadOnly` is about the user
 * with the password. `shard` makes it one of a cluster.
 */
export const startClickHouseServer = async ({
  path,
  port: given = 0,
  password = '',
  isReadOnly = false,
  settings = '',
  shard = null,
  env = {},
}) => {
  const program = await built();
  await mkdir(path, { recursive: true });
  const port = given || (await freePort());
  const child = spawn(program, await argumentsFor(path, port, { password, isReadOnly, settings }, shard), {
    env: { LIBCHDB: library(), ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let faults = '';
  child.stderr.on('data', (chunk) => (faults = (faults + chunk).slice(-4_000)));
  const exited = once(child, 'exit');
  const url = new URL(`http://127.0.0.1:${port}/`);
  if (password) [url.username, url.password] = [user, encodeURIComponent(password)];
  await untilListening(url, child, () => faults);
  return {
    url,
    pid: child.pid,
    exited,
    close: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** The session that keeps the server running is the user "default", who therefore has no password. */
const user = 'kohort';
const startMs = 60_000;

const argumentsFor = async (path, port, { password, isReadOnly, settings }, shard) => {
  const config = join(path, 'server.xml');
  const users = join(path, 'users.xml');
  await writeFile(
    config,
    `<clickhouse><users_config>${users}</users_config>${settings}${shard?.settings ?? ''}
      <logger><level>none</level><console>false</console></logger></clickhouse>`,
  );
  const account = (name, secret, profile = 'default') =>
    `<${name}><password>${secret}</password><networks><ip>::/0</ip></networks>
      <profile>${profile}</profile><quota>default</quota></${name}>`;
  await writeFile(
    users,
    `<clickhouse><profiles><default>${shard?.profile ?? ''}</default><reader><readonly>1</readonly></reader></profiles><quotas><default/></quotas>
      <users>${account('default', '')}${account(user, password, isReadOnly ? 'reader' : 'default')}</users></clickhouse>`,
  );
  const native = shard ? ['--tcp_port', String(shard.port)] : [];
  const listen = `${shard ? 'SYSTEM START LISTEN TCP; ' : ''}SYSTEM START LISTEN HTTP`;
  return [
    ...['--path', path, '--config-file', config, '--http_port', String(port), ...native, '--listen_host=127.0.0.1'],
    ...['--query', `${listen}; ${forEver}`],
  ];
};

const forEver = 'SELECT sum(sleepEachRow(1)) FROM numbers(1000000) SETTINGS max_block_size = 1, max_execution_time = 0';

/** Compiled once for each run: fifteen lines of C, because a foreign function interface has a stack that the engine refuses. */
const built = async () => {
  const program = join(
    process.env.TEST_RUN_DIR ?? tmpdir(),
    `kohort-clickhouse-server-${process.env.TEST_RUN_PID ?? process.pid}`,
  );
  if (existsSync(program)) return program;
  const source = fileURLToPath(new URL('./server.c', import.meta.url));
  const draft = `${program}.${randomUUID()}`;
  try {
    await promisify(execFile)('cc', ['-O1', '-o', draft, source, '-ldl']);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new Error(
      'These tests run a ClickHouse server that is built with a C compiler: apt-get install gcc libc6-dev',
      {
        cause: error,
      },
    );
  }
  await rename(draft, program);
  return program;
};

const library = () => {
  const packages = join(dirname(createRequire(import.meta.url).resolve('chdb')), '..', '@chdb');
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    const file = ['libchdb.so', 'libchdb.dylib'].map((each) => join(packages, name, each)).find(existsSync);
    if (file) return file;
  }
  throw new Error('The embedded ClickHouse is not installed: run npm ci without --omit=optional');
};

const untilListening = async (url, child, faults) => {
  const ping = new URL('/ping', `http://${url.host}`);
  for (const begun = performance.now(); performance.now() - begun < startMs; await sleep(30)) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if ((await globalThis.fetch(ping).catch(() => null))?.ok) return;
  }
  child.kill('SIGKILL');
  throw new Error(`The ClickHouse server did not start:\n${faults()}`);
};

/** Below the ports that outgoing connections get: one of those could be taken again before the server listens. */
export const freePort = async () => {
  for (;;) {
    const port = randomInt(20_000, 32_000);
    const probe = createServer().listen(port, '127.0.0.1');
    const isFree = await once(probe, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    probe.close();
    await once(probe, 'close');
    return port;
  }
};
