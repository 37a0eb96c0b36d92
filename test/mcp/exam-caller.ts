import { type McpCaller } from '../support/mcp.js';

type Json = Readonly<Record<string, unknown>>;

/** Where the answer has what is looked for. */
interface Take {
  /** The value of the first object that has this key and the values of `where`. */
  readonly key?: string;
  readonly where?: Json;
  readonly path?: readonly (string | number)[];
  /** The first value of the first row. */
  readonly cell?: boolean;
}

export interface Step {
  /** A word of the tool's name or description. */
  readonly about: string;
  readonly do: string;
  readonly with: Json;
  /** Keeps a value for later steps, which name it in braces. */
  readonly keep?: { readonly name: string; readonly take: Take };
}

export interface Question {
  readonly question: string;
  readonly steps: readonly Step[];
  readonly take: Take;
  readonly sql: string;
}

export interface Solved {
  readonly answer: unknown;
  readonly calls: number;
  readonly bytes: number;
}

interface Listed {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema: { readonly properties?: Readonly<Record<string, object>> };
}

/** Knows what `tools/list` has, and what tools answer; nothing of the service. */
export class ExamCaller {
  private constructor(
    private readonly caller: McpCaller,
    private readonly tools: readonly Listed[],
  ) {}

  static async of(caller: McpCaller): Promise<ExamCaller> {
    return new ExamCaller(caller, (await caller.client.listTools()).tools);
  }

  async solve({ steps, take }: Question): Promise<Solved> {
    const kept = new Map<string, unknown>();
    let [calls, bytes] = [0, 0];
    let answer: unknown;
    const call = async (name: string, given: Json): Promise<Json> => {
      const { isError, value, text } = await this.caller.call(name, given);
      [calls, bytes] = [calls + 1, bytes + Buffer.byteLength(text)];
      if (isError) throw new Error(`${name} ${JSON.stringify(given)} was refused: ${text}`);
      return value;
    };
    for (const step of steps) {
      const tool = this.toolFor(step);
      const unknown = Object.keys(step.with).filter((name) => !(name in (tool.inputSchema.properties ?? {})));
      if (unknown.length > 0) {
        const described = (await call('describe', { tool: tool.name, operation: step.do })).arguments as Json;
        const missing = unknown.filter((name) => !(name in described));
        if (missing.length > 0) throw new Error(`${tool.name} ${step.do} has no ${missing.join(', ')}`);
      }
      const given = { operation: step.do, ...filled(step.with, kept) };
      let value = await call(tool.name, given);
      const looked = step.keep?.take ?? take;
      answer = taken(value, looked);
      while (answer === undefined && value.next_page) {
        value = await call(tool.name, { ...given, ...(value.next_page as Json) });
        answer = taken(value, looked);
      }
      if (step.keep) kept.set(step.keep.name, answer);
    }
    return { answer, calls, bytes };
  }

  /** The tool with the operation whose name or description has the word, and that shows most of the arguments. */
  private toolFor({ about, do: operation, with: given }: Step): Listed {
    const shown = ({ inputSchema: { properties = {} } }: Listed) =>
      Object.keys(given).filter((name) => name in properties).length;
    const [best] = this.tools
      .filter(({ inputSchema }) =>
        (inputSchema.properties?.operation as { enum?: string[] } | undefined)?.enum?.includes(operation),
      )
      .filter(({ name, description = '' }) => `${name} ${description}`.toLowerCase().includes(about.toLowerCase()))
      .sort((a, b) => shown(b) - shown(a));
    if (!best) throw new Error(`No tool is about ${about} and has ${operation}`);
    return best;
  }
}

const filled = (value: Json, kept: ReadonlyMap<string, unknown>): Json =>
  Object.fromEntries(
    Object.entries(value).map(([name, one]) => {
      const [, key] = typeof one === 'string' ? (/^\{(\w+)\}$/.exec(one) ?? []) : [];
      return [name, key === undefined ? one : kept.get(key)];
    }),
  );

const taken = (answer: unknown, { key, where = {}, path, cell }: Take): unknown => {
  if (cell) return taken(answer, { path: ['results', 0, 0] });
  if (path) return path.reduce<unknown>((value, at) => (value as Json | undefined)?.[at], answer);
  if (typeof answer !== 'object' || answer === null) return undefined;
  const record = answer as Json;
  const fits = Object.entries(where).every(([name, expected]) => record[name] === expected);
  if (!Array.isArray(answer) && fits && key !== undefined && key in record) return record[key];
  for (const inner of Object.values(record)) {
    const found = taken(inner, { key, where });
    if (found !== undefined) return found;
  }
  return undefined;
};
