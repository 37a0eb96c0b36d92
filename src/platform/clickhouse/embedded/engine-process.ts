import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { ClickHouseMisconfigured } from '../errors.js';

/** The argument of the engine's process. */
interface EngineTask {
  /** The file of the library. */
  readonly library: string;
  /** The module that calls the functions of the library. It does so on the stack of the thread, as the engine requires. */
  readonly caller: string;
  /** The arguments of clickhouse-local. */
  readonly engineArguments: readonly string[];
  readonly releasesLibrary: boolean;
}

type EngineOptions = Pick<EngineTask, 'engineArguments' | 'releasesLibrary'>;

/**
 * Takes the pages of the library out of the memory of the process, except those that the loader has changed. A start alone
 * touches 170 MB, most of them once. A page that is needed again is found in the cache of the system.
 */
const releasingLibrary = `
    const { readFileSync, realpathSync } = require('node:fs');
    const file = realpathSync(library);
    const unchanged = /^([0-9a-f]+)-([0-9a-f]+) r-.p .* (\\/.+)\\n(?:[A-Z]\\w+:.*\\n)*?Anonymous: +0 kB$/gm;
    const dontNeed = 4;
    const release = () => {
      for (const [, from, to, path] of readFileSync('/proc/self/smaps', 'latin1').matchAll(unchanged)) {
        if (path !== file) continue;
        const start = parseInt(from, 16);
        load({
          library: 'c',
          funcName: 'madvise',
          retType: DataType.I32,
          paramsType: [DataType.U64, DataType.U64, DataType.I32],
          paramsValue: [start, parseInt(to, 16) - start, dontNeed],
        });
      }
    };
    setTimeout(() => {
      try {
        open({ library: 'c', path: 'libc.so.6' });
        release();
        setInterval(release, 60_000);
      } catch {
        // A system that is not Linux, or hides the file, keeps the pages.
      }
    }, 5_000);
`;

/** The program of the process. It is a text, because a file would have different paths in a build and in tests. */
const engineProgram = `
  const { library, caller, engineArguments, releasesLibrary } = JSON.parse(process.argv[1]);
  const end = () => process.kill(process.pid, 'SIGKILL');
  // When the service ends, however it does, nothing else could end a statement that runs.
  process.stdin.on('end', end).on('error', end).resume();
  process.title = 'kohort: clickhouse';
  const { open, load, DataType } = require(caller);
  open({ library: 'chdb', path: library });
  const { External, U64, Double } = DataType;
  load({
    library: 'chdb',
    funcName: 'query_stable_v2',
    retType: { buffer: External, length: U64, owner: External, seconds: Double, rows: U64, bytes: U64, error: DataType.String },
    paramsType: [DataType.I32, DataType.StringArray],
    paramsValue: [engineArguments.length, engineArguments],
    runInNewThread: true,
  }).then(({ error }) => process.stderr.write(error), (error) => process.stderr.write(String(error))).then(end);
  if (releasesLibrary) {
    ${releasingLibrary}
  }
`;

/** A process that runs the engine, and ends when the process of the service ends. */
export interface EngineProcess {
  readonly pid: number;
  /** Resolves with the reason once the process has ended. */
  readonly exited: Promise<string>;
  readonly hasExited: () => boolean;
  /** Kills the process at once, whatever the engine does. All that it has acknowledged is on disk. */
  end(): Promise<void>;
}

const maxComplaintCharacters = 4_000;

/** Node needs little memory and no further threads here, because the process only runs the engine. */
const flags = ['--max-semi-space-size=1', '--max-old-space-size=64', '--v8-pool-size=0'];

/** Starts the engine. `folder` becomes the working directory of the process, by which an operator recognises it. */
export const startEngine = (
  folder: string,
  options: EngineOptions,
  env: Readonly<Record<string, string>>,
): EngineProcess => {
  const task: EngineTask = { ...installed(), ...options };
  const child = spawn(process.execPath, [...flags, '-e', engineProgram, JSON.stringify(task)], {
    cwd: folder,
    env: { TZ: 'UTC', ...env },
    stdio: ['pipe', 'ignore', 'pipe'],
    // Ctrl-C in a terminal must not reach the engine: the service needs it while it stops.
    detached: true,
  });
  child.stdin.on('error', () => undefined);
  let complaints = '';
  child.stderr.on(
    'data',
    (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-maxComplaintCharacters)),
  );
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

/** The first line is the message; the lines after it are the stack of the engine. */
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
