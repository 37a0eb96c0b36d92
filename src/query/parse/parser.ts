import { createRequire } from 'node:module';
import { readFile } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { QueryFault, quoted, type Place } from '../fault.js';
import { demandFewLevels, demandShallow, demandShort, demandShortLists } from './bounds.js';
import { rewrite, type Markers } from './markers.js';
import { adviceFor } from './advice.js';
import { sqlTokensOf, type Token } from './tokens.js';

/** A question as the parser reads it, not checked yet. */
export interface Parsed {
  readonly statements: readonly unknown[];
  readonly tokens: readonly Token[];
  readonly markers: Markers;
  readonly text: string;
}

/** The types of Node do not have it. */
const { WebAssembly } = globalThis as unknown as {
  WebAssembly: { compile(bytes: Uint8Array): Promise<object>; RuntimeError: ErrorConstructor };
};

interface Wasm {
  initSync(options: { module: object }): unknown;
  parse_sql_with_options(dialect: string, text: string, options: { recursionLimit: number }): unknown;
}

const require = createRequire(import.meta.url);
const folder = new URL('../wasm/', pathToFileURL(require.resolve('@guanmingchiu/sqlparser-ts')));

/** Above the limits of the tokens, which say more about what is wrong. */
const recursionLimit = 300;

/**
 * Reads questions with a parser in WebAssembly. An instance that has run out of stack stays broken, so it is replaced;
 * the limits of the tokens prevent this for all questions that are known to do it.
 */
export class QueryParser {
  private constructor(
    private readonly module: object,
    private wasm: Wasm,
    private instances = 1,
  ) {}

  static async open(): Promise<QueryParser> {
    const module = await WebAssembly.compile(await readFile(new URL('sqlparser_rs_wasm_bg.wasm', folder)));
    return new QueryParser(module, await instanceOf(module, 0));
  }

  /** How many instances ran out of stack. */
  get replaced(): number {
    return this.instances - 1;
  }

  async parse(text: string): Promise<Parsed> {
    demandShort(text);
    const tokens = sqlTokensOf(text);
    if (tokens.length === 0) throw new QueryFault('The question is empty: write a SELECT', { line: 1, column: 1 });
    demandFewLevels(tokens);
    const { text: rewritten, markers, kept } = rewrite(text, tokens);
    demandShortLists(markers);
    demandShallow(kept);
    // Other requests get their turn.
    await setImmediate();
    return { statements: await this.statements(rewritten, tokens), tokens, markers, text };
  }

  private async statements(text: string, tokens: readonly Token[]): Promise<readonly unknown[]> {
    try {
      return this.wasm.parse_sql_with_options('clickhouse', text, { recursionLimit }) as readonly unknown[];
    } catch (error) {
      if (error instanceof WebAssembly.RuntimeError || error instanceof RangeError) {
        this.wasm = await instanceOf(this.module, this.instances);
        this.instances += 1;
        throw new QueryFault('The question is nested too deeply', { line: 1, column: 1 });
      }
      throw syntaxFault(String((error as Error).message), tokens);
    }
  }
}

/** Each address of the module is an instance of its own. */
const instanceOf = async (module: object, number: number): Promise<Wasm> => {
  const wasm = (await import(`${new URL('sqlparser_rs_wasm.js', folder).href}?instance=${number}`)) as Wasm;
  wasm.initSync({ module });
  return wasm;
};

const syntaxFault = (message: string, tokens: readonly Token[]): QueryFault => {
  const place = placeIn(message) ?? placeAtEnd(tokens);
  const at = tokens.findIndex(({ line, column }) => line === place.line && column === place.column);
  const advice = adviceFor(tokens, at < 0 ? tokens.length : at);
  const plain = message
    .replace(/^sql parser error: /, '')
    .replace(/ at Line: \d+, Column: \d+$/, '')
    .replace(/, found: .*/s, '');
  const expected = /^Expected:? (.*)/i.exec(plain)?.[1];
  const found = tokens[at]?.text;
  const wrong = found === undefined ? 'The question ends too early' : `${quoted(found)} was not expected here`;
  const right = advice ?? (expected === undefined ? null : `${expected} was expected`);
  return new QueryFault(right === null ? wrong : `${wrong}: ${right}`, place, 'parse_error');
};

const placeIn = (message: string): Place | null => {
  const found = /Line: (\d+), Column: (\d+)/.exec(message);
  return found ? { line: Number(found[1]), column: Number(found[2]) } : null;
};

const placeAtEnd = (tokens: readonly Token[]): Place => {
  const last = tokens.at(-1);
  return last ? { line: last.line, column: last.column + last.text.length } : { line: 1, column: 1 };
};
