import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;

beforeAll(async () => {
  service = await sharedService();
});
afterAll(() => service.stop());

const manifest = createRequire(import.meta.url).resolve('posthog-js/package.json');
const dist = join(dirname(manifest), 'dist');
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string };
const script = (name: string) => readFileSync(join(dist, name), 'utf8');
const get = (path: string, headers: Record<string, string> = {}) => fetch(service.url + path, { headers });

/** The path as it is: fetch would resolve dots. */
const statusOf = (path: string): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url);
    const request = httpRequest({ hostname, port, path }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', reject).end();
  });

describe('the files of posthog-js', () => {
  it('are served as they are installed, each of them', async () => {
    const names = readdirSync(dist).filter((name) => name.endsWith('.js'));
    expect(names).toEqual(expect.arrayContaining(['array.js', 'array.full.js', 'surveys.js', 'web-vitals.js']));
    for (const name of names) {
      const answer = await get(`/static/${name}`);
      expect([name, answer.status, answer.headers.get('content-type')]).toEqual([
        name,
        200,
        'application/javascript; charset=utf-8',
      ]);
      expect((await answer.text()) === script(name)).toBe(true);
    }
  });

  it('come packed to those who read gzip, and plain to others', async () => {
    const packed = await get('/static/array.js', { 'accept-encoding': 'gzip' });
    expect([packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
      'gzip',
      expect.stringContaining('Accept-Encoding'),
    ]);
    expect(Number(packed.headers.get('content-length'))).toBeLessThan(script('array.js').length / 2);
    expect(await packed.text()).toBe(script('array.js'));
    const plain = await get('/static/array.js', { 'accept-encoding': 'identity' });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(await plain.text()).toBe(script('array.js'));
  });

  it.each([
    ['/static/array.js', 'public, max-age=300'],
    [`/static/${version}/array.js`, 'public, max-age=31536000, immutable'],
    [`/static/surveys.js?v=${version}`, 'public, max-age=31536000, immutable'],
    ['/static/surveys.js?v=1.0.0', 'public, max-age=300'],
    ['/static/1.0.0/surveys.js', 'public, max-age=300'],
  ])('%s may be kept: %s', async (path, expected) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, expected]);
    await answer.arrayBuffer();
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[\w.-]+"$/);
    const again = await get(path, { 'if-none-match': `"other", W/${etag}` });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('answer pages of any origin', async () => {
    const origin = 'https://shop.example.test';
    const answer = await get('/static/array.js', { origin });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(answer.headers.get('vary')).toContain('Origin');
  });

  it('answer HEAD with their size and no body', async () => {
    const answer = await fetch(`${service.url}/static/array.js`, { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    expect(Number(answer.headers.get('content-length'))).toBeGreaterThan(1000);
  });

  it.each(['/static/nothing.js', `/static/${version}/toolbar.js`])(
    'do not include %s: 404, and the script says what to do',
    async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers.get('content-type')]).toEqual([
        404,
        'application/javascript; charset=utf-8',
      ]);
      const errors: string[] = [];
      runInNewContext(await answer.text(), { console: { error: (text: string) => errors.push(text) } });
      expect(errors).toEqual([expect.stringMatching(/posthog-js .* load \/static\/array\.js, or install posthog-js/)]);
    },
  );

  it.each([
    '/static/../package.json',
    '/static/..%2fpackage.json',
    '/static/%2e%2e%2fpackage.json',
    '/static/%2e%2e/package.json',
    '/static/..%5cpackage.json',
    '/static/....//package.json',
    '/static/x/..%2f..%2fpackage.json',
    '/static/%2fetc%2fpasswd',
    '/static/array.js%00.map',
    '/static/./array.js%2f..%2f..%2fpackage.json',
    '/static/package.json',
    '/static/array.d.ts',
    '/static/module.mjs',
    '/static/__proto__',
    '/static/',
  ])('are the only files there is a way to: %s is 404', async (path) => {
    expect(await statusOf(path)).toBe(404);
  });

  it('are not confused by a path that cannot be decoded', async () => {
    expect(await statusOf('/static/%E0%A4%A')).toBe(400);
  });
});

describe('the documents', () => {
  it('are served as text at each address that the OpenAPI document links to, and no other file is', async () => {
    const document = JSON.stringify(await (await get('/openapi.json')).json());
    const links = [...new Set(document.match(/\/docs\/guides\/[\w-]+\.md/g))];
    expect(links.length).toBeGreaterThan(8);
    for (const link of links) {
      const answer = await get(link);
      expect([link, answer.status, answer.headers.get('content-type')]).toEqual([
        link,
        200,
        'text/plain; charset=utf-8',
      ]);
      expect(await answer.text()).toBe(readFileSync(link.slice(1), 'utf8'));
    }
    expect(await statusOf('/docs/guides/setup.sh')).toBe(200);
    const others = [
      '/docs/guides/..%2F..%2Fpackage.json',
      '/docs/../package.json',
      '/docs/sql/funnel.sql',
      '/docs/guides/none',
    ];
    expect(await Promise.all(others.map(statusOf))).toEqual([404, 404, 404, 404]);
    for (const list of ['/docs/guides', '/docs/guides/'])
      expect((await get(list)).url).toBe(`${service.url}/docs/guides/sending-events.md`);
  });

  it('are pages for a browser, whose links all lead to something', async () => {
    const page = async (path: string) => {
      const answer = await get(path, { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
      return { status: answer.status, html: await answer.text() };
    };
    const pages = new Map<string, string>();
    const left = ['/docs/limits.md', '/docs/guides/sending-events.md'];
    const links: (readonly [from: string, path: string, anchor: string])[] = [];
    for (let path = left.shift(); path !== undefined; path = left.shift()) {
      const { status, html } = await page(path);
      expect([path, status, html.slice(0, 15).toLowerCase()]).toEqual([path, 200, '<!doctype html>']);
      pages.set(path, html);
      for (const [, link = ''] of html.matchAll(/<a href="(?!https?:)([^"]+)"/g)) {
        const { pathname, hash } = new URL(link, `http://localhost${path}`);
        links.push([path, pathname, hash.slice(1)]);
        if (!pages.has(pathname) && !left.includes(pathname) && pathname.endsWith('.md')) left.push(pathname);
      }
    }
    expect(pages.size).toBeGreaterThan(18);
    const others = [...new Set(links.map(([, path]) => path))].filter((path) => !pages.has(path));
    expect(await Promise.all(others.map(statusOf))).toEqual(others.map(() => 200));
    const leadNowhere = links.filter(([, path, anchor]) => {
      return anchor !== '' && !pages.get(path)?.includes(`id="${decodeURIComponent(anchor)}"`);
    });
    expect(leadNowhere).toEqual([]);
  });
});
