import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type ProjectDto } from '../../src/projects/project.dto.js';
import { documentedBy } from '../support/documented.js';
import { FaultyProxy } from '../support/faulty-proxy.js';
import { importLines } from '../support/import.js';
import { startTestService, type TestService } from '../support/service.js';

interface Makers {
  readonly makeTypescript: (document: object, folder: string) => Promise<string>;
  readonly makePython: (document: object, folder: string) => Promise<string>;
  readonly makeCollection: (document: object, folder: string) => Promise<string>;
}

type Document = Parameters<typeof documentedBy>[0];

/** Below the repository, which has the compiler. */
const folder = resolve('dist-bench', `clients-${process.pid}`);
const programs = resolve('test/clients/programs');

const works = (command: string, ...args: string[]): boolean => spawnSync(command, args).status === 0;

const hasPython = works('python3', '-c', 'import sys; sys.exit(sys.version_info < (3, 11))');
if (!hasPython) console.warn('!!! NO PYTHON 3.11 HERE: apt-get install python3. Tests of its client are skipped.');
const hasMypy = hasPython && works('mypy', '--version');
if (!hasMypy)
  console.warn('!!! NO MYPY HERE: apt-get install mypy. The types of the client of Python are not checked.');

const run = async (cwd: string, env: object, command: string, ...args: string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, NODE_OPTIONS: '', ...env },
    maxBuffer: 1e8,
    timeout: 120_000,
  }).catch((error: { stdout: string; stderr: string }) => {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`);
  });
  return stdout;
};

interface Snippet {
  readonly code: string;
  readonly prints: string;
}

/** The snippets of a README, each with the text that it says is printed. */
const snippetsOf = async (client: string, language: string): Promise<Snippet[]> => {
  const readme = await readFile(`clients/${client}/README.md`, 'utf8');
  const all = readme.matchAll(/```(\w+)\n(.*?)```/gs);
  const blocks = [...all].map(([, tag = '', text = '']) => ({ tag, text }));
  const snippets = blocks.flatMap(({ tag, text }, at) =>
    tag === language
      ? [{ code: text, prints: blocks[at + 1]?.tag === 'text' ? (blocks[at + 1]?.text ?? '') : '' }]
      : [],
  );
  expect(snippets.filter(({ prints }) => prints === '')).toEqual([]);
  return snippets;
};

let service: TestService;
let proxy: FaultyProxy;
let document: Document;
let make: Makers;

beforeAll(async () => {
  // A receiver on this machine has no public address.
  service = await startTestService({ WEBHOOK_ALLOW_PRIVATE: '1' });
  proxy = await FaultyProxy.start(service.url);
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as Document;
  make = (await import(resolve('clients/make.mjs'))) as Makers;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
});
afterAll(async () => {
  await proxy.stop();
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const scenarioArguments = async (): Promise<string[]> => {
  const { id, api_token: token } = await service.newProject();
  return [proxy.url, service.key, String(id), token];
};

/** A project of three persons, of whom Ada paid three times and Bob once, and a key that opens no other. */
const projectOfReadme = async (): Promise<{ project: ProjectDto; env: object }> => {
  const project = await service.newProject();
  const names = ['Ada', 'Bob', 'Eve'];
  const event = (name: string, did: string, minutes: number) => ({
    ...{ type: 'event', event: did, distinct_id: name.toLowerCase() },
    timestamp: new Date(Date.now() - minutes * 60_000).toISOString(),
  });
  await importLines(service, project.id, [
    ...names.map((name, day) => ({
      ...{ type: 'person', distinct_ids: [name.toLowerCase()], properties: { name } },
      created_at: `2026-01-0${day + 1}T00:00:00Z`,
    })),
    ...names.map((name) => event(name, 'viewed', 60)),
    ...[4, 3, 2].map((minutes) => event('Ada', 'paid', minutes)),
    event('Bob', 'paid', 2),
  ]);
  const key = await service.newKey({ projectIds: [project.id] });
  return { project, env: { KOHORT_URL: service.url, KOHORT_KEY: key.text } };
};

/** What both clients do, and what they may not do, in the same world. */
const outcome = {
  captured: ['/batch', 0, 3, 3],
  cohort: [2, 4, 1, ['Customers']],
  copy: [2, 2],
  members: [['ada', 'bob'], 2],
  changes: [
    ['entered snapshot', 'entered snapshot'],
    ['left calculated', 'entered calculated'],
  ],
  webhook: [true, ['entered calculated'], Array(6).fill('refused')],
  refused: [400, 'invalid_input', 'filters.properties.values.0.value'],
  away: [503, 4],
  later: [429, 3600, 1, true],
  unknown: [true, 1],
  proxy: [502, 1],
  otherRequest: [409, 'conflict'],
};

describe('@kohort/client, packed and installed in an empty folder', () => {
  let home: string;
  let snippets: Snippet[];

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'kohort-client-'));
    snippets = await snippetsOf('typescript', 'ts');
    const packed = await make.makeTypescript(document, folder);
    await writeFile(join(home, 'package.json'), '{"private":true,"type":"module"}');
    await run(home, {}, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--silent', packed);
    await cp(join(programs, 'scenario.ts'), join(home, 'scenario.ts'));
    for (const [at, { code }] of snippets.entries()) await writeFile(join(home, `readme-${at}.ts`), code);
    const compilerOptions = {
      ...{ strict: true, module: 'nodenext', target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable'] },
      ...{ types: ['node'], typeRoots: [resolve('node_modules/@types')], outDir: 'out' },
    };
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
    // Libraries are checked, too: the types of the package have to be whole.
    await run(home, {}, process.execPath, resolve('node_modules/typescript-native/bin/tsc'), '-p', '.');
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('repeats what is safe, and nothing else', async () => {
    const printed = await run(home, {}, process.execPath, 'out/scenario.js', ...(await scenarioArguments()));
    expect(JSON.parse(printed)).toEqual(outcome);
  });

  it('prints what its README says', async () => {
    const { env } = await projectOfReadme();
    expect(snippets).toHaveLength(4);
    for (const [at, { prints }] of snippets.entries())
      expect([at, await run(home, env, process.execPath, `out/readme-${at}.js`)]).toEqual([at, prints]);
  });
});

(hasPython ? describe : describe.skip)('the client of Python', () => {
  let env: object;
  let home: string;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'kohort-python-'));
    env = { PYTHONPATH: await make.makePython(document, folder), PYTHONDONTWRITEBYTECODE: '1' };
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('repeats what is safe, and nothing else', async () => {
    const scenario = [join(programs, 'scenario.py'), ...(await scenarioArguments())];
    expect(JSON.parse(await run(home, env, 'python3', ...scenario))).toEqual(outcome);
  });

  it('prints what its README says', async () => {
    const { env: keys } = await projectOfReadme();
    const snippets = await snippetsOf('python', 'python');
    expect(snippets).toHaveLength(2);
    for (const { code, prints } of snippets)
      expect(await run(home, { ...env, ...keys }, 'python3', '-c', code)).toBe(prints);
  });

  (hasMypy ? it : it.skip)('has types that hold for itself and for who uses it', async () => {
    const python = join(folder, 'python');
    // Debian's release is one that has to be told about the keyword arguments of PEP 692.
    const strict = ['--strict', '--no-warn-return-any', '--enable-incomplete-feature=Unpack', '--cache-dir', home];
    const printed = await run(python, {}, 'mypy', ...strict, 'kohort', join(programs, 'scenario.py'));
    expect(printed).toMatch(/^Success: no issues found in \d+ source files/m);
    await writeFile(join(home, 'misspelt.py'), 'from kohort import Kohort\nKohort("", "").list_persons(limitt=1)\n');
    await expect(run(home, { MYPYPATH: python }, 'mypy', ...strict, 'misspelt.py')).rejects.toThrow('"limitt"');
  });
});

interface Operation {
  readonly security: readonly object[];
}

interface Field {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header: readonly Field[];
    readonly url: {
      readonly raw: string;
      readonly path: readonly string[];
      readonly query: readonly Field[];
      readonly variable: readonly Field[];
    };
    readonly body?: { readonly mode: string; readonly raw: string };
  };
}

interface Collection {
  readonly variable: readonly Field[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
}

describe('the collection', () => {
  let collection: Collection;
  let items: readonly Item[];

  beforeAll(async () => {
    collection = JSON.parse(await readFile(await make.makeCollection(document, folder), 'utf8')) as Collection;
    items = collection.item.flatMap(({ item }) => item);
  });

  it('has a folder for each tag, and each operation that needs no session once', () => {
    expect(collection.item.map(({ name }) => name)).toEqual(document.tags?.map(({ name }) => name));
    expect(collection.item.filter(({ item }) => item.length === 0)).toEqual([]);
    const operations = Object.values(document.paths).flatMap((item) =>
      Object.values(item as Record<string, Operation>),
    );
    const isOpen = ({ security }: Operation) =>
      security.length === 0 || security.some((way) => 'personalApiKey' in way);
    expect(items).toHaveLength(operations.filter(isOpen).length);
    expect(items.length).toBeGreaterThan(130);
  });

  it('has bodies that the document allows', () => {
    const documented = documentedBy(document);
    const complaints = items.flatMap(({ name, request: { method, url, body, header } }) => {
      if (!header.some(({ value }) => value === 'application/json')) return [];
      const path = `/${url.path.map((part) => (part.startsWith(':') || part.startsWith('{{') ? '1' : part)).join('/')}`;
      const sent = url.query.filter(({ disabled }) => !disabled).map(({ key, value }) => [key, value] as const);
      const query = new URLSearchParams(Object.fromEntries(sent));
      const asked = { method: method as 'POST', path, query, body: JSON.parse(body?.raw ?? '') as unknown };
      const complaint = documented.requestComplaint(asked);
      return complaint ? [[name, complaint]] : [];
    });
    expect(complaints).toEqual([]);
  });

  it('has reads that the service answers, or whose record it does not have', async () => {
    const { project } = await projectOfReadme();
    const { url: baseUrl, key } = service;
    const values: Record<string, string> = { baseUrl, key, project_id: String(project.id) };
    const known = Object.fromEntries(collection.variable.map(({ key: name, value }) => [name, value]));
    expect(Object.keys(known)).toEqual(Object.keys(values));
    const filled = (text: string, variables: readonly Field[]) =>
      text
        .replace(/\{\{(\w+)\}\}/g, (_, name: string) => values[name] ?? '')
        .replace(/(?<=\/):(\w+)/g, (_, name: string) => variables.find((field) => field.key === name)?.value ?? '');
    const statuses: Record<number, string[]> = {};
    const reads = collection.item.filter(({ name }) => name !== 'Capture').flatMap(({ item }) => item);
    for (const { name, request } of reads) {
      // A stream does not end, a sign-on needs a provider, and SDKs ask for flags with the token of a project.
      if (request.method !== 'GET' || /live$|oidc|\/(?:flags|decide)\b/.test(request.url.raw)) continue;
      const headers: Record<string, string> = request.auth?.type === 'noauth' ? {} : { authorization: `Bearer ${key}` };
      const answer = await fetch(filled(request.url.raw, request.url.variable), { headers, redirect: 'manual' });
      await answer.body?.cancel();
      (statuses[answer.status] ??= []).push(name);
    }
    const { 200: answered = [], 404: missing = [], ...others } = statuses;
    expect([answered.length > 30, missing.length > 10, others]).toEqual([true, true, {}]);
  });
});
