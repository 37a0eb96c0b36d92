import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The length of a tick: Linux counts processor time in hundredths of a second on every platform that Node runs on. */
const msPerTick = 10;

/**
 * Returns the milliseconds of processor time that a thread has used; null if they are unknown, because only Linux tells them
 * from outside of the thread. `thread` is the target of the link `/proc/thread-self` on that thread; null if the system has no
 * such link.
 */
const processorMsOf = (thread: string | null): number | null => {
  if (thread === null) return null;
  try {
    const status = readFileSync(`/proc/${thread}/stat`, 'latin1');
    // The name of the thread is in brackets and may have blanks in it.
    const [user, system] = status
      .slice(status.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return user === undefined || system === undefined ? null : (user + system) * msPerTick;
  } catch {
    return null;
  }
};

/** WebAssembly is missing in the types of Node. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
};

const require = createRequire(import.meta.url);
const folder = new URL('../wasm/', pathToFileURL(require.resolve('@guanmingchiu/sqlparser-ts')));

/** Compiles the parser; all threads share the result. */
export const loadParser = async (): Promise<object> =>
  WebAssembly.compile(await readFile(new URL('sqlparser_rs_wasm_bg.wasm', folder)));

/** The parser's own limit of depth. It is above our limits on tokens, so that these refuse first: their messages say more. */
const recursionLimit = 300;

export interface ReadingLimits {
  /**
   * The most processor time for a text: only this tells that a text is too slow to read. The largest question takes a tenth of
   * it.
   */
  readonly processorMs: number;
  /** The most time on the clock for a text. It is longer, because a thread on a busy computer waits for a processor. */
  readonly wallMs: number;
}

export const readingLimits: ReadingLimits = { processorMs: 1_000, wallMs: 10_000 };

/** The shortest time between two looks at the processor time. */
const leastPauseMs = 20;

export type ParserReading =
  | { readonly kind: 'statements'; readonly statements: readonly unknown[] }
  | { readonly kind: 'syntax'; readonly message: string }
  /** The thread is of no use any longer: it ran out of stack, of processor time or of time on the clock. */
  | { readonly kind: 'stack' | 'slow' }
  /** `isBusy` is false where the processor time is unknown: then the text may be slow, or the computer busy. */
  | { readonly kind: 'late'; readonly isBusy: boolean };

/**
 * The program of a thread. It is a text, because a file would have a different path in each form in which the service is built
 * and tested.
 */
const program = `
  const { parentPort, workerData } = require('node:worker_threads');
  import(workerData.library).then((library) => {
    library.initSync({ module: workerData.module });
    const read = (text) => {
      try {
        const statements = library.parse_sql_with_options('clickhouse', text, workerData.options);
        return { kind: 'statements', statements };
      } catch (error) {
        const isStack = error instanceof WebAssembly.RuntimeError || error instanceof RangeError;
        return isStack ? { kind: 'stack' } : { kind: 'syntax', message: String(error.message) };
      }
    };
    parentPort.on('message', (text) => parentPort.postMessage(read(text)));
    let thread = null;
    try {
      thread = require('node:fs').readlinkSync('/proc/thread-self');
    } catch {}
    parentPort.postMessage(thread);
  });
`;

interface RunningThread {
  readonly worker: Worker;
  /** The path of the thread below `/proc`; null if the system does not tell it. */
  readonly thread: string | null;
}

/**
 * Runs the parser on a thread of its own. The parser tries one way to read a text after another, so a mistake at the end of a
 * hundred characters can take hours. Nothing else runs on the thread in this time, and only the end of the thread stops it.
 */
export class ParserThread {
  private worker: Promise<RunningThread> | null = null;
  /** The number of threads that were ended because they ran out of stack or of time. */
  replaced = 0;

  constructor(
    private readonly module: object,
    private readonly limits = readingLimits,
  ) {}

  /** Starts the thread ahead of its first question, which would start it otherwise. */
  async start(): Promise<void> {
    await this.running();
  }

  /** Reads a text; the caller must wait for the answer before it sends the next text. */
  async read(text: string): Promise<ParserReading> {
    const running = await this.running();
    const reading = await readBy(running, text, this.limits);
    if (reading.kind !== 'statements' && reading.kind !== 'syntax') {
      this.worker = null;
      this.replaced += 1;
      await running.worker.terminate();
    }
    return reading;
  }

  private running(): Promise<RunningThread> {
    if (this.worker) return this.worker;
    const starting = started(this.module);
    this.worker = starting;
    const forget = (): void => {
      if (this.worker === starting) this.worker = null;
    };
    // A thread may also end between two questions, for want of memory: the next question starts another one.
    starting.then(({ worker }) => worker.once('exit', forget), forget);
    return starting;
  }
}

const started = (module: object): Promise<RunningThread> =>
  new Promise((resolve, reject) => {
    const library = new URL('sqlparser_rs_wasm.js', folder).href;
    const worker = new Worker(program, { eval: true, workerData: { library, module, options: { recursionLimit } } });
    worker.once('error', reject);
    worker.once('message', (thread: string | null) => {
      worker.off('error', reject);
      // Without a listener, a thread that fails between two questions would end the service.
      worker.on('error', () => undefined);
      // A thread without work must not keep a command from ending.
      worker.unref();
      resolve({ worker, thread });
    });
  });

const readBy = ({ worker, thread }: RunningThread, text: string, limits: ReadingLimits): Promise<ParserReading> =>
  new Promise((resolve) => {
    const finish = (reading: ParserReading): void => {
      clearTimeout(timer);
      worker.off('message', finish);
      worker.off('messageerror', refuse);
      worker.off('error', refuse);
      worker.unref();
      resolve(reading);
    };
    // Either this thread has too little stack to receive the tree, or the parser's thread ran out of memory.
    const refuse = (): void => finish({ kind: 'stack' });
    const remaining = stopwatch(thread, limits);
    const look = (): void => {
      const remainingMs = remaining();
      // An answer may already wait if this thread was held up; then the answer is taken first.
      if (typeof remainingMs !== 'number') setImmediate(() => finish(remainingMs));
      else timer = setTimeout(look, Math.max(remainingMs, leastPauseMs));
    };
    let timer = setTimeout(look, limits.processorMs);
    worker.once('message', finish);
    worker.once('messageerror', refuse);
    worker.once('error', refuse);
    worker.ref();
    worker.postMessage(text);
  });

/**
 * Returns a function that tells how many milliseconds a thread surely has until it reaches a limit, or which limit it has
 * reached.
 */
const stopwatch = (thread: string | null, { processorMs, wallMs }: ReadingLimits): (() => number | ParserReading) => {
  const startedAt = performance.now();
  const before = processorMsOf(thread);
  return () => {
    const now = processorMsOf(thread);
    const used = before === null || now === null ? null : now - before;
    if (used !== null && used >= processorMs) return { kind: 'slow' };
    const remainingMs = wallMs - (performance.now() - startedAt);
    if (remainingMs <= 0) return { kind: 'late', isBusy: used !== null };
    return Math.min(remainingMs, processorMs - (used ?? 0));
  };
};
