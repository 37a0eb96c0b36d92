import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OpenAPIObject } from '@nestjs/swagger';
import { browser } from '../support/browser.js';
import { aliasesOf, Documented } from '../support/documented.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

let service: ServiceHandle;
let document: OpenAPIObject;

beforeAll(async () => {
  service = await sharedService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
});
afterAll(() => service.stop());

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, NonNullable<(typeof item)['get']>>).map(([method, operation]) => ({
      name: `${method} ${path}`,
      operation,
    })),
  );

describe('the OpenAPI document', () => {
  it('passes redocly lint without errors', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'kohort-openapi-'));
    const file = join(dir, 'openapi.json');
    await writeFile(file, JSON.stringify(document));
    const lint = promisify(execFile)('node_modules/.bin/redocly', ['lint', '--config', 'redocly.yaml', file], {
      env: { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    });
    const { stdout, stderr } = await lint.catch((error: { stdout: string; stderr: string }) => ({
      stdout: error.stdout,
      stderr: `FAILED ${error.stderr}`,
    }));
    expect(`${stdout}${stderr}`).not.toMatch(/FAILED|error was generated|errors/);
    await rm(dir, { recursive: true });
  }, 60_000);

  it('gives every operation an id of its own, a group, a summary and a description of each answer', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    const tags = document.tags?.map(({ name }) => name);
    for (const { name, operation } of operations()) {
      expect(tags).toContain(operation.tags?.[0]);
      expect([name, operation.tags?.length, Boolean(operation.summary)]).toEqual([name, 1, true]);
    }
  });

  it('has an example of each problem, with the status that it documents', () => {
    for (const [name, response] of Object.entries(document.components?.responses ?? {})) {
      const { content } = response as { content: Record<string, { example: { status: number } }> };
      expect(name).toBe(`Problem${content['application/problem+json']?.example.status}`);
    }
  });

  it('has one operation for each handler, which lists its other paths', () => {
    const capture = operations().filter(({ operation }) => operation.tags?.includes('Capture'));
    expect(capture.map(({ name }) => name).sort()).toEqual([
      'get /batch',
      'get /v1/{type}',
      'post /batch',
      'post /i/v1/analytics/events',
      'post /v1/{type}',
    ]);
    const aliases = ['/capture', '/e', '/i/v0/e', '/track', '/engage'];
    expect(aliasesOf(document.paths['/batch'] ?? {})).toEqual(aliases);
    expect(document.paths['/batch']?.post?.description).toContain('`/capture`, `/e`, `/i/v0/e`, `/track`, `/engage`');
  });

  it('has an example for every property of every body', () => {
    const bare = Object.entries(document.components?.schemas ?? {}).flatMap(([schema, definition]) =>
      'properties' in definition
        ? Object.entries(definition.properties ?? {})
            .filter(
              ([, property]) =>
                !['example', 'default', '$ref', 'allOf', 'items', 'enum'].some((key) => key in property),
            )
            .map(([name]) => `${schema}.${name}`)
        : [],
    );
    expect(bare).toEqual([]);
  });

  it('is what the tests hold every answer to: an undocumented status, key or type is noticed', () => {
    const documented = new Documented(document);
    const headers = { 'content-type': 'application/json' };
    const live =
      (text: string, status = 200, type = headers['content-type']) =>
      () =>
        documented.check('GET', '/_livez', { status, headers: { 'content-type': type }, text });
    expect(live('{"status":"ok"}')).not.toThrow();
    expect(live('{"status":"ok","extra":1}')).toThrow(/additional properties/);
    expect(live('{}')).toThrow(/required property/);
    expect(live('{"status":"ok"}', 418)).toThrow(/status is not documented/);
    expect(live('ok', 200, 'text/plain')).toThrow(/content type/);
  });
});

describe('/docs', () => {
  it('renders in a real browser, and Authorize with a key makes a call answer 200', async () => {
    const page = await browser();
    if (!page) return;
    await page.goto(`${service.url}/docs`);
    await page
      .getByText('listProjects', { exact: false })
      .or(page.getByText('Projects that the key opens'))
      .first()
      .waitFor();
    await page
      .getByRole('button', { name: /Authorize/ })
      .first()
      .click();
    await page.locator('.auth-container input').fill(service.key);
    await page.locator('.auth-btn-wrapper button.authorize').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const operation = page.locator('#operations-Projects-listProjects');
    await operation.click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await operation.getByRole('button', { name: 'Execute' }).click();
    const status = operation.locator('.live-responses-table tbody .response-col_status').first();
    await status.waitFor();
    expect(await status.innerText()).toContain('200');
    if (process.env.SCREENSHOTS)
      await page.screenshot({ path: join(process.env.SCREENSHOTS, 'docs.png'), fullPage: true });
    await page.context().browser()?.close();
  }, 60_000);
});
