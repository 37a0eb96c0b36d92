import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { ClickHouseMisconfigured } from '../errors.js';
import { engineProgram, type EngineTask } from './program.js';

/** A process that runs the engine, and ends with this one. */
export interface EngineProcess {
  readonly pid: number;
  /** Resolves with the reason once the process has ended. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** Takes no time, whatever the engine does: what it has acknowledged is on disk. */
  end(): Promise<void>;
}

const keptCharacters = 4_000;

/** Collects little garbage, and has a thread of its own for nothing but the engine. */
const flags = ['--max-semi-space-size=1', '--max-old-space-size=64', '--v8-pool-size=0'];

/** `folder` is where an operator looks for it. */
export const startEngine = (
  folder: string,
  engineArguments: readonly string[],
  env: Readonly<Record<string, string>>,
): EngineProcess => {
  const task: EngineTask = { ...installed(), engineArguments };
  const child = spawn(process.execPath, [...flags, '-e', engineProgram, JSON.stringify(task)], {
    cwd: folder,
    env: { TZ: 'UTC', ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C in a terminal must not reach it: the service needs the engine while it stops.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-keptCharacters)));
  let isOver = false;
  const exited = Promise.race([
    once(child, 'close').then(([code, signal]) => firstLineOf(complaints) || `it ended with ${String(signal ?? code)}`),
    once(child, 'error').then(([error]) => (error as Error).message),
  ]).finally(() => (isOver = true));
  return {
    pid: child.pid ?? 0,
    exited,
    hasExited: () => isOver,
    end: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** The lines after it are the stack of the engine. */
const firstLineOf = (text: string): string =>
  text
    .split('\n')
    .find((line) => line.trim() !== '')
    ?.replace(/, Stack trace.*/, '')
    .trim() ?? '';

const installed = (): Pick<EngineTask, 'library' | 'caller'> => {
  const require = createRequire(import.meta.url);
  try {
    const { libchdbPath } = require('chdb/libchdb') as { libchdbPath: () => string };
    return { library: libchdbPath(), caller: require.resolve('ffi-rs') };
  } catch (error) {
    throw new ClickHouseMisconfigured(
      'The embedded ClickHouse is not installed: run npm ci without --omit=optional (Linux with glibc or macOS), or set CLICKHOUSE_URL to a server',
      { cause: error },
    );
  }
};
