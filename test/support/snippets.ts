import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { bootstrapFile, freePort, start, terminate, type RunningProcess } from './process.js';

/** A fenced block of a document that talks to the service. */
export interface Snippet {
  readonly language: 'sh' | 'js';
  /** The line of the document at which the code begins. */
  readonly line: number;
  readonly code: string;
  /** The answers that the document shows, as comments below the commands. */
  readonly shown: readonly string[];
}

const fence = /^```(\w*)\n([\s\S]*?)^```/gm;
const languages: Readonly<Record<string, Snippet['language']>> = { sh: 'sh', bash: 'sh', js: 'js', mjs: 'js' };

export const address = 'http://localhost:3000';

export const snippetsOf = (markdown: string): Snippet[] =>
  [...markdown.matchAll(fence)].flatMap(({ 1: tag = '', 2: code = '', index }) => {
    const language = languages[tag];
    const talks = language === 'js' ? code.includes('import ') : /\bcurl\b|^KEY=|^TOKEN=/m.test(code);
    if (!language || !talks) return [];
    const line = markdown.slice(0, index).split('\n').length + 1;
    return [{ language, line, code, shown: language === 'sh' ? shownIn(code) : [] }];
  });

/** `# {"status":1}`, also over several lines: a comment that begins like JSON and those that follow it. */
const shownIn = (code: string): string[] => {
  const answers: string[] = [];
  let isOpen = false;
  for (const line of code.split('\n')) {
    const [, text] = /^# ?(.*)$/.exec(line) ?? [];
    if (text !== undefined && /^[[{]/.test(text)) answers.push(text);
    else if (text !== undefined && isOpen) answers.push(`${answers.pop() ?? ''}\n${text}`);
    isOpen = text !== undefined && (isOpen || /^[[{]/.test(text));
  }
  return answers;
};

/** `"…"` stands for any value, and `"…": "…"` for more fields. */
export const differenceFrom = (shown: unknown, got: unknown, path = 'answer'): string | null => {
  if (shown === '…') return null;
  if (Array.isArray(shown) && Array.isArray(got)) {
    if (shown.length !== got.length) return `${path} has ${got.length} elements instead of ${shown.length}`;
    return shown.map((each, at) => differenceFrom(each, got[at], `${path}.${at}`)).find(Boolean) ?? null;
  }
  if (isObject(shown) && isObject(got)) {
    const { '…': more, ...fields } = shown;
    const unknown = Object.keys(got).filter((name) => !(name in fields));
    if (more === undefined && unknown.length > 0) return `${path} also has ${unknown.join(', ')}`;
    const differences = Object.entries(fields).map(([name, value]) =>
      differenceFrom(value, got[name], `${path}.${name}`),
    );
    return differences.find(Boolean) ?? null;
  }
  return JSON.stringify(shown) === JSON.stringify(got)
    ? null
    : `${path} is ${JSON.stringify(got)} instead of ${JSON.stringify(shown)}`;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the snippets of one document from top to bottom against a service of their own, as a reader would. */
export class SnippetRunner {
  private constructor(
    private readonly folder: string,
    private readonly service: RunningProcess,
    private readonly token: string,
  ) {}

  static async start(): Promise<SnippetRunner> {
    const folder = await mkdtemp(join(tmpdir(), 'kohort-snippets-'));
    const port = String(await freePort());
    const dataDir = join(folder, 'data');
    const service = await start({ DATA_DIR: dataDir, PORT: port, PROJECTION_WAIT_MS: '60000' });
    // The snippets of a document find packages and commands as in the repository.
    for (const name of ['bin', 'node_modules', 'dist', 'package.json'])
      await symlink(resolve(name), join(folder, name));
    return new SnippetRunner(folder, service, (await bootstrapFile(dataDir)).project_token);
  }

  async run({ language, code }: Snippet): Promise<Outcome> {
    const here = code.replaceAll(address, this.service.url).replaceAll('phc_…', this.token);
    if (language === 'js') {
      const file = join(this.folder, 'snippet.mjs');
      await writeFile(file, here);
      return this.spawned(process.execPath, [file]);
    }
    // A reader's shell keeps the variables of the snippets before.
    const names = [...here.matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
    const keep = names.map((name) => `declare -p ${name} >> variables\n`).join('');
    return this.spawned('bash', ['-euc', `touch variables; source ./variables\n${quiet(here)}\n${keep}`]);
  }

  async stop(): Promise<void> {
    await terminate(this.service);
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  }

  private async spawned(program: string, args: readonly string[]): Promise<Outcome> {
    const child = spawn(program, args, {
      cwd: this.folder,
      env: { PATH: process.env.PATH, HOME: this.folder, npm_config_update_notifier: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const output = { stdout: '', stderr: '' };
    for (const name of ['stdout', 'stderr'] as const)
      child[name].on('data', (chunk: Buffer) => (output[name] += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...output };
  }
}

/** Without the progress of curl, and with a line for each answer. */
const quiet = (code: string): string => code.replace(/\bcurl /g, "curl -sS -w '\\n' ");

/** The answers of a shell snippet: one line of JSON for each command that prints one. */
export const answersIn = (stdout: string): unknown[] =>
  stdout.split('\n').flatMap((line) => (/^[[{]/.test(line) ? [JSON.parse(line) as unknown] : []));
