import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

/** The types of Node do not have it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<object> };
};

const require = createRequire(import.meta.url);
const folder = new URL('../wasm/', pathToFileURL(require.resolve('@guanmingchiu/sqlparser-ts')));

/** The compiled parser, which all threads share. */
export const loadParser = async (): Promise<object> =>
  WebAssembly.compile(await readFile(new URL('sqlparser_rs_wasm_bg.wasm', folder)));

/** Above the limits of the tokens, which say more about what is wrong. */
const recursionLimit = 300;

/** A question of the largest size takes a tenth of this. */
export const mostReadingMs = 1_000;

export type ParserReading =
  | { readonly kind: 'statements'; readonly statements: readonly unknown[] }
  | { readonly kind: 'syntax'; readonly message: string }
  /** The thread is of no use any longer. */
  | { readonly kind: 'stack' }
  | { readonly kind: 'slow' };

/** A text, because a file of its own would have another place in each form in which the service is built and tested. */
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
    parentPort.postMessage('ready');
  });
`;

/**
 * The parser on a thread of its own. It tries one way to read a text after another, so a mistake at the end of a hundred
 * characters can take it hours, in which nothing else would run on its thread, and only the end of the thread stops it.
 */
export class ParserThread {
  private worker: Promise<Worker> | null = null;
  /** How many threads were ended before their time. */
  replaced = 0;

  constructor(private readonly module: object) {}

  /** Starts the thread, which each first question does otherwise. */
  async start(): Promise<void> {
    await this.running();
  }

  /** One text at a time. */
  async read(text: string): Promise<ParserReading> {
    const worker = await this.running();
    const reading = await readBy(worker, text);
    if (reading.kind === 'stack' || reading.kind === 'slow') {
      this.worker = null;
      this.replaced += 1;
      await worker.terminate();
    }
    return reading;
  }

  private running(): Promise<Worker> {
    if (this.worker) return this.worker;
    const starting = started(this.module);
    this.worker = starting;
    const forget = (): void => {
      if (this.worker === starting) this.worker = null;
    };
    // A thread may also end between two questions, for want of memory: the next question starts another one.
    starting.then((worker) => worker.once('exit', forget), forget);
    return starting;
  }
}

const started = (module: object): Promise<Worker> =>
  new Promise((resolve, reject) => {
    const library = new URL('sqlparser_rs_wasm.js', folder).href;
    const worker = new Worker(program, { eval: true, workerData: { library, module, options: { recursionLimit } } });
    worker.once('error', reject);
    worker.once('message', () => {
      worker.off('error', reject);
      // Without a listener, a thread that fails between two questions would end the service.
      worker.on('error', () => undefined);
      // A thread without work must not keep a command from ending.
      worker.unref();
      resolve(worker);
    });
  });

const readBy = (worker: Worker, text: string): Promise<ParserReading> =>
  new Promise((resolve) => {
    const settle = (reading: ParserReading): void => {
      leave();
      resolve(reading);
    };
    // A tree that this thread has not the stack to take, or a thread that has ended for want of memory.
    const refuse = (): void => settle({ kind: 'stack' });
    // If this thread was held up, the answer may wait to be taken.
    const timer = setTimeout(() => setImmediate(() => settle({ kind: 'slow' })), mostReadingMs);
    const leave = (): void => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('messageerror', refuse);
      worker.off('error', refuse);
      worker.unref();
    };
    worker.once('message', settle);
    worker.once('messageerror', refuse);
    worker.once('error', refuse);
    worker.ref();
    worker.postMessage(text);
  });
