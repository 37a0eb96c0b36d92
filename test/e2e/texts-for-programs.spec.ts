import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { type OpenAPIObject } from '@nestjs/swagger';
import { aliasesOf } from '../support/documented.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { startTestService, type TestService } from '../support/service.js';
import { sharedService } from '../support/shared-service.js';

const markdown = { accept: 'text/markdown' };

let service: ServiceHandle;
let document: OpenAPIObject;
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });
const textOf = async (path: string) => (await get(path, markdown)).text();
const linksIn = (text: string) => [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);

beforeAll(async () => {
  service = await sharedService();
  document = (await (await get('/openapi.json')).json()) as OpenAPIObject;
});
afterAll(() => service.stop());

describe('/llms.txt', () => {
  it('names every guide and every page of the reference, by links that lead to Markdown', async () => {
    const answer = await get('/llms.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const text = await answer.text();
    expect(text).toMatch(/^# Kohort\n\n> .+\n/);
    const links = linksIn(text);
    for (const guide of readdirSync('docs/guides').filter((name) => name.endsWith('.md')))
      expect(links).toContain(`${service.url}/docs/guides/${guide}`);
    expect(links.length).toBeGreaterThan(35);
    for (const link of links) {
      const linked = await fetch(link, { headers: markdown });
      const type = link.endsWith('.json') ? 'application/json' : 'text/markdown';
      expect([link, linked.status, linked.headers.get('content-type')]).toEqual([link, 200, `${type}; charset=utf-8`]);
    }
  });

  it('says about each link what is behind it, in a sentence', async () => {
    const lines = (await textOf('/llms.txt')).split('\n').filter((line) => line.startsWith('- ['));
    expect(lines.filter((line) => !/^- \[[^\]]+\]\([^)]+\): .{15,250}$/.test(line))).toEqual([]);
  });

  it('is short enough to be read first', async () => {
    expect(Buffer.byteLength(await textOf('/llms.txt'))).toBeLessThan(10_000);
  });
});

describe('a client that prefers Markdown', () => {
  it.each([
    ['/', '/llms.txt'],
    ['/docs', '/docs/reference.md'],
    ['/docs/guides', '/llms.txt'],
  ])('gets at %s what is at %s', async (path, same) => {
    const answer = await get(path, { accept: 'text/markdown, text/html;q=0.8' });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
    expect(answer.headers.get('vary')).toContain('Accept');
    expect(await answer.text()).toBe(await textOf(same));
  });

  it('gets a guide as it is written, at the address where a browser gets a page', async () => {
    const path = '/docs/guides/cohorts.md';
    expect(await textOf(path)).toBe(readFileSync(path.slice(1), 'utf8'));
    const page = await get(path, { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('changes nothing for others', async () => {
    expect((await get('/docs', { accept: 'text/html' })).headers.get('content-type')).toContain('text/html');
    expect(await (await get('/')).json()).toMatchObject({ name: 'Kohort' });
  });
});

describe('the reference in Markdown', () => {
  it('has every operation of /openapi.json once, in its list and on the page of its tag', async () => {
    const index = await textOf('/docs/reference.md');
    const pages = linksIn(index).filter((link) => link.startsWith('reference/'));
    const texts = await Promise.all([...new Set(pages)].map((page) => textOf(`/docs/${page}`)));
    const headings = texts.flatMap((text) => [...text.matchAll(/^## ([A-Z]+ \/.*)$/gm)].map(([, name]) => name));
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.length).toBeGreaterThan(140);
    expect(headings.sort()).toEqual(operations.sort());
    expect(operations.filter((name) => !index.includes(`- \`${name}\`: `))).toEqual([]);
    for (const item of Object.values(document.paths))
      for (const alias of aliasesOf(item)) expect(texts.join('')).toContain(`\`${alias}\``);
  });

  it('has the parameters, the shapes and the limits of a route, and explains each shape that it names', async () => {
    const page = await textOf('/docs/reference/persons.md');
    const [, route = ''] = /^## GET \/api\/projects\/\{project_id\}\/persons\n([^]*?)^## /m.exec(page) ?? [];
    expect(route).toContain('- `limit` (integer from 1 to 1000, query): Records per page.');
    expect(route).toContain('Scope: `person:read`.');
    expect(route).toMatch(/- 200: \[\w+\]\(#\w+\) as `application\/json`\./);
    const named = linksIn(page).filter((link) => link.startsWith('#'));
    const shapes = new Set([...page.matchAll(/^### (\w+)$/gm)].map(([, name = '']) => `#${name.toLowerCase()}`));
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((link) => !shapes.has(link))).toEqual([]);
  });

  it('has pages of a size that a program can read', async () => {
    const { tags = [] } = document;
    for (const { name } of tags) {
      const size = Buffer.byteLength(await textOf(`/docs/reference/${name.toLowerCase()}.md`));
      expect([name, size > 500, size < 150_000]).toEqual([name, true, true]);
    }
  });
});

describe('the skill', () => {
  it('is served with its name and a description of when to use it', async () => {
    const text = await textOf('/docs/skill/SKILL.md');
    expect(text).toMatch(/^---\nname: kohort\ndescription:\s/);
    expect(text).toContain('Use it when');
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5_000);
  });

  it('names routes that exist', async () => {
    const paths = Object.keys(document.paths);
    const named = [...(await textOf('/docs/skill/SKILL.md')).matchAll(/"\$API\/([\w/]+)/g)].map(([, path]) => path);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((path) => !paths.includes(`/api/projects/{project_id}/${path}`))).toEqual([]);
  });
});

describe('/.well-known/security.txt', () => {
  let open: TestService;

  beforeAll(async () => {
    open = await startTestService({ SECURITY_CONTACT: 'security@example.com', PUBLIC_URL: 'https://k.example.com' });
  });
  afterAll(() => open.stop());

  it('names the contact of the installation, and until when that is sure', async () => {
    const answer = await fetch(`${open.url}/.well-known/security.txt`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    const text = await answer.text();
    const [, expires = ''] = /^Expires: (.*)$/m.exec(text) ?? [];
    expect(text).toBe(
      `Contact: mailto:security@example.com\nExpires: ${expires}\nCanonical: https://k.example.com/.well-known/security.txt\n`,
    );
    const days = (Date.parse(expires) - Date.now()) / 86_400_000;
    expect([days > 29, days < 31]).toEqual([true, true]);
  });

  it('does not exist without a contact', async () => {
    const answer = await get('/.well-known/security.txt');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json; charset=utf-8',
    ]);
  });
});
