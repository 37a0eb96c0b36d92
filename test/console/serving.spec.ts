import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedService } from '../support/shared-service.js';

const html = { accept: 'text/html,application/xhtml+xml' };

describe('the console’s files', () => {
  let url: string;
  let page: Response;
  let document: string;

  beforeAll(async () => {
    ({ url } = await sharedService());
    page = await fetch(`${url}/`, { headers: html });
    document = await page.text();
  });

  it('are drawn by one document at each of its addresses', async () => {
    for (const path of ['/sign-in', '/invitation', '/p/1/live', '/p/1/persons/x?search=y']) {
      const other = await fetch(url + path, { headers: html });
      expect([path, other.status, await other.text()]).toEqual([path, 200, document]);
    }
    expect(page.headers.get('cache-control')).toBe('no-cache');
  });

  it('allow scripts from files of this origin only, and no frame around them', () => {
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(document).not.toMatch(/<script(?![^>]* src=)/);
  });

  it('have names that change with their content, and are kept for a year', async () => {
    const [path = ''] = /\/assets\/index-[\w-]+\.js/.exec(document) ?? [];
    const script = await fetch(url + path, { headers: { 'accept-encoding': 'br' } });
    expect(script.status).toBe(200);
    expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(script.headers.get('content-encoding')).toBe('br');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const plain = await fetch(url + path, { headers: { 'accept-encoding': 'identity' } });
    expect(await plain.text()).toBe(await script.text());
  });

  it('are the only files that can be read', async () => {
    for (const path of [
      '/assets/../../package.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/assets/',
      '/index.html.br',
      '/assets/none.js',
    ]) {
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    }
  });

  it('leave / to programs', async () => {
    const answer = await fetch(`${url}/`);
    expect(await answer.json()).toMatchObject({ name: 'Kohort', docs: '/docs' });
  });

  it('load no more than 200 kB before the first page is drawn', async () => {
    const paths = [...document.matchAll(/(?:src|href)="(\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path ?? '');
    expect(paths.length).toBeGreaterThanOrEqual(3);
    const sizes = await Promise.all(
      paths.map(async (path) => {
        const { headers } = await fetch(url + path, { method: 'HEAD', headers: { 'accept-encoding': 'gzip' } });
        expect(headers.get('content-encoding')).toBe('gzip');
        return Number(headers.get('content-length'));
      }),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(200 * 1024);
  });
});
