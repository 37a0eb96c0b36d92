import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './clickhouse/server.mjs';
import { withoutRateLimits } from './rate-limits.js';

export { freePort };

export interface RunningProcess {
  readonly url: string;
  readonly pid: number;
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Nothing of the surroundings but what finds Node: a newcomer's machine may have no LANG either. */
const bareEnv = (env: Env): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  NODE_ENV: 'development',
  ...withoutRateLimits,
  ...env,
});

export const tempDir = (): Promise<string> => mkdtemp(join(tmpdir(), 'kohort-process-'));

export const removeDir = (path: string): Promise<void> =>
  rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

/** What `npm start` and `npm run cli` run. */
const kohort = [process.execPath, '--max-semi-space-size=8', 'bin/kohort.mjs'] as const;

/** The built service, started by another program where one is given, and from another file. */
export const launch = async (
  env: Env,
  args: readonly string[] = [],
  starter: readonly string[] = [],
  command: readonly string[] = kohort,
): Promise<RunningProcess> => {
  const port = env.PORT ?? String(await freePort());
  const [program = '', ...rest] = [...starter, ...command, ...args];
  const child = spawn(program, rest, {
    env: bareEnv({ PORT: port, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const exited = once(child, 'exit').then(([code, signal]) => ({
    code: code as number | null,
    signal: signal as NodeJS.Signals | null,
  }));
  return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, child, output: () => output, exited };
};

/** The process that the service has started for its engine; NaN while it starts. */
export const engineOf = ({ pid }: Pick<RunningProcess, 'pid'>): number =>
  parseInt(spawnSync('pgrep', ['-P', String(pid), '-f', '^kohort: clickhouse'], { encoding: 'utf8' }).stdout);

/** Milliseconds until `/_readyz` says ready. */
export const untilReady = async (service: RunningProcess, withinMs = 180_000): Promise<number> => {
  const started = Date.now();
  while (Date.now() - started < withinMs) {
    const answer = await fetch(`${service.url}/_readyz`).catch(() => null);
    if (answer?.status === 200) return Date.now() - started;
    if (service.child.exitCode !== null) break;
    await sleep(20);
  }
  throw new Error(`the service was not ready within ${withinMs} ms:\n${service.output()}`);
};

export const start = async (env: Env, args: readonly string[] = []): Promise<RunningProcess> => {
  const service = await launch(env, args);
  await untilReady(service);
  return service;
};

export const terminate = async (service: RunningProcess): Promise<{ code: number | null; ms: number }> => {
  const started = Date.now();
  service.child.kill('SIGTERM');
  const { code } = await service.exited;
  return { code, ms: Date.now() - started };
};

/** Processes that work in a folder below `dir`, as the embedded PostgreSQL does. Linux only. */
export const processesIn = async (dir: string): Promise<number[]> => {
  const { readdir, readlink } = await import('node:fs/promises');
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    pids.map(async (pid) =>
      (await readlink(`/proc/${pid}/cwd`).catch(() => '')).startsWith(dir) ? Number(pid) : null,
    ),
  );
  return found.filter((pid) => pid !== null);
};

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The arguments of `spawn` for a command of the command line. */
export const commandLine = (env: Env, args: readonly string[]) =>
  [
    kohort[0],
    [...kohort.slice(1), ...args],
    { env: bareEnv(env), stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] },
  ] as const;

export const cli = async (env: Env, ...args: readonly string[]): Promise<CliResult> => {
  const [program, words, options] = commandLine(env, args);
  const child = spawn(program, words, options);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
};

export interface BootstrapFile {
  readonly project_id: number;
  readonly project_token: string;
  readonly personal_api_key: string;
  readonly user_email: string;
}

export const bootstrapFile = async (dataDir: string): Promise<BootstrapFile> =>
  JSON.parse(await readFile(join(dataDir, 'bootstrap.json'), 'utf8')) as BootstrapFile;
