import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type OpenAPIObject } from '@nestjs/swagger';
import { closeBrowser, hasBrowser, openPage } from '../support/browser.js';
import { aliasesOf, Documented } from '../support/documented.js';
import { sampleOf } from '../support/sample.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';

/** Objects whose keys are the caller's own, or that this service only stores. */
const madeUp: readonly string[] = [
  // The parameters of a saved question are those of its route, and its node is kept as it was sent.
  ...['/SavedQuestionDto/properties/params', 'InsightBody/properties/question/properties/params'],
  ...['/SavedInsightDto/properties/query', '/TileInsightDto/properties/query', '/TileBody/properties/insight'],
  ...['/properties/filters/properties/properties', '/properties/filters/properties/breakdown_filter'],
  '/SavedInsightDto/properties/result',
  ...['/ActivityChangeDto/properties/before', '/ActivityChangeDto/properties/after'],
  '/MeDto/properties/hedgehog_config',
  ...['/UserDto/properties/hedgehog_config', '/CriterionDto/properties/seen', '/UpdatePropertyBody/properties/value'],
  ...[
    '/EventDto/properties/properties',
    '/DocumentEventDto/properties/properties',
    '/SqlQuery/properties/values',
    '/ExplainedDto/properties/parameters',
    '/PersonDto/properties/properties',
    '/InsightPersonDto/properties/group_properties',
    // Rows, series, steps or edges, in the form of the reference product.
    '/NodeAnswerDto/properties/results',
    '/SetPropertiesBody/properties/properties',
    'GroupDto/properties/group_properties',
    ...['/CreateGroupBody/properties/group_properties', '/UpdateGroupBody/properties/group_properties'],
    '/UpdateGroupBody/properties/properties',
    ...['/GroupPropertyChangeDto/properties/before', '/GroupPropertyChangeDto/properties/after'],
  ],
  ...[
    'PersonDto/properties/properties',
    '/TimelineDto/properties/properties',
    '/TimelinePointDto/properties/properties',
  ],
  // Fields of flags without effect, and definitions of cohorts for SDKs, in the form of the reference product.
  ...['FlagBody/properties/', '/LocalDefinitionsDto/properties/cohorts'],
  // Properties that SDKs send.
  ...['/properties/$set', '/properties/$set_once', '/properties/$group_set'],
  ...['context', 'traits', 'properties'].map((name) => `/Segment*/properties/${name}`),
];

let service: ServiceHandle;
let document: OpenAPIObject;

beforeAll(async () => {
  service = await sharedService();
  document = (await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject;
});
afterAll(() => service.stop());

/** The components that a part of the document names, and those that they name. */
const namedBy = (part: object, components: object): Set<string> => {
  const named = new Set<string>();
  const open: object[] = [part];
  for (let next = open.pop(); next; next = open.pop()) {
    for (const [, kind = '', name = ''] of JSON.stringify(next).matchAll(/"#\/components\/(\w+)\/([^"/]+)"/g)) {
      if (named.has(`${kind} ${name}`)) continue;
      named.add(`${kind} ${name}`);
      open.push((components as Record<string, Record<string, object>>)[kind]?.[name] ?? {});
    }
  }
  return named;
};

/** Some of the paths, others each day, with the components that they name. Redocly looks at the whole document. */
const sampled = (whole: OpenAPIObject): OpenAPIObject => {
  if (process.env.EVERY_CASE) return whole;
  const { securitySchemes, ...others } = whole.components ?? {};
  const paths = Object.fromEntries(sampleOf(Object.entries(whole.paths), 4));
  const named = namedBy(paths, others);
  const components = Object.fromEntries(
    Object.entries(others).map(([kind, items]) => [
      kind,
      Object.fromEntries(Object.entries(items as object).filter(([name]) => named.has(`${kind} ${name}`))),
    ]),
  );
  return { ...whole, paths, components: { ...components, securitySchemes } };
};

const operations = () =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, NonNullable<(typeof item)['get']>>).map(([method, operation]) => ({
      name: `${method} ${path}`,
      operation,
    })),
  );

describe('the OpenAPI document', () => {
  it('has nothing that Redocly or Spectral would change', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'kohort-openapi-'));
    const file = join(dir, 'openapi.json');
    const part = join(dir, 'part.json');
    const rules = join(dir, 'spectral.yaml');
    await writeFile(file, JSON.stringify(document));
    await writeFile(part, JSON.stringify(sampled(document)));
    await writeFile(rules, 'extends: ["spectral:oas"]\n');
    const env = { ...process.env, NODE_OPTIONS: '', REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    const linted = (command: string, linting: string, ...args: string[]) =>
      promisify(execFile)(`node_modules/.bin/${command}`, ['lint', ...args, linting], { env, maxBuffer: 1e7 }).then(
        ({ stdout }) => stdout,
        (error: { stdout: string; stderr: string }) => `FAILED ${error.stdout}${error.stderr}`,
      );
    const redocly = await linted('redocly', file, '--config', 'redocly.yaml', '--format', 'json');
    expect(redocly).not.toContain('FAILED');
    expect((JSON.parse(redocly) as { totals: object }).totals).toMatchObject({ errors: 0, warnings: 0 });
    expect(await linted('spectral', part, '-r', rules, '-F', 'hint', '--format', 'text')).toContain(
      'No results with a severity',
    );
    await rm(dir, { recursive: true });
  }, 240_000);

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
                !['example', 'default', 'x-default', '$ref', 'allOf', 'items', 'enum'].some((key) => key in property) &&
                !('anyOf' in property && property.anyOf?.every((form) => '$ref' in form)),
            )
            .map(([name]) => `${schema}.${name}`)
        : [],
    );
    expect(bare).toEqual([]);
  });

  it('is OpenAPI 3.1, with the address at which it was fetched', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers?.map(({ url }) => url)).toEqual([service.url]);
    expect(JSON.stringify(document)).not.toMatch(/"nullable":/);
  });

  it('has a type for everything but what callers make up themselves', () => {
    const untyped: string[] = [];
    const walk = (node: unknown, path: string): void => {
      if (typeof node !== 'object' || node === null || /\/(example|examples|enum|x-default|x-also-accepts)$/.test(path))
        return;
      const schema = node as Record<string, unknown>;
      const isFree = (schema.additionalProperties ?? true) === true && !('properties' in schema);
      if (isFree && [schema.type].flat().includes('object')) untyped.push(path);
      for (const [key, value] of Object.entries(node)) walk(value, `${path}/${key}`);
    };
    walk(document.components?.schemas, '');
    const isOf = (path: string, known: string): boolean => path.replace(/\/Segment\w+/, '/Segment*').includes(known);
    expect(untyped.filter((path) => !madeUp.some((known) => isOf(path, known)))).toEqual([]);
    expect(madeUp.filter((known) => !untyped.some((path) => isOf(path, known)))).toEqual([]);
  });

  it('has examples that its own schemas accept', () => {
    const documented = new Documented(document);
    const wrong: unknown[] = [];
    let seen = 0;
    const demand = (path: string, schema: object, example: unknown): void => {
      const fault = documented.valueComplaint(schema, example);
      seen += 1;
      if (fault !== null) wrong.push([path, example, fault]);
    };
    const walk = (node: unknown, path: string, isNames = false): void => {
      if (typeof node !== 'object' || node === null) return;
      const given = node as Record<string, unknown>;
      // Beside a schema in a parameter or a media type, else in the schema itself.
      const schema = given.schema ?? given;
      if (!isNames && 'example' in given) demand(path, schema, given.example);
      const examples = (isNames ? {} : (given.examples ?? {})) as Record<string, { value: unknown }>;
      for (const [name, { value }] of Object.entries(examples)) demand(`${path} ${name}`, schema, value);
      for (const [key, value] of Object.entries(given))
        if (isNames || !['example', 'examples', 'enum', 'x-default', 'default'].includes(key))
          walk(value, `${path}/${key}`, !isNames && ['properties', 'schemas', 'paths', 'responses'].includes(key));
    };
    walk({ paths: document.paths, components: document.components }, '');
    expect(wrong).toEqual([]);
    expect(seen).toBeGreaterThan(300);
  });

  it('prefills no id of a record where an answer would change it', () => {
    const prefilled = operations().flatMap(({ name, operation }) =>
      name.startsWith('get') && !name.endsWith('duplicate_as_static_cohort')
        ? []
        : (operation.parameters ?? []).flatMap((parameter) => {
            const {
              name: of,
              in: place,
              schema = {},
              example,
            } = parameter as { name: string; in: string; schema?: object; example?: unknown };
            const isPrefilled = example !== undefined || 'example' in schema || 'default' in schema;
            return place === 'path' && of !== 'project_id' && of !== 'type' && isPrefilled ? [`${name} ${of}`] : [];
          }),
    );
    expect(prefilled).toEqual([]);
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
    const trace = (status: number) => {
      const problem = {
        type: 'invalid_request',
        code: 'too_large',
        detail: 'Any',
        attr: null,
        status,
        request_id: 'any',
      };
      const answer = { status, headers: { 'content-type': 'application/problem+json' }, text: JSON.stringify(problem) };
      return documented.complaint('TRACE', '/_livez', answer);
    };
    expect([405, 431].map(trace)).toEqual([null, null]);
    expect(trace(500)).toBe('the operation is not documented');
  });
});

describe('/docs', () => {
  (hasBrowser() ? it : it.skip)(
    'renders in a real browser, and Authorize with a key makes a call answer 200',
    async () => {
      const page = await openPage();
      await page.goto(`${service.url}/docs`);
      await page
        .getByRole('button', { name: /Authorize/ })
        .first()
        .click();
      const keyForm = page.locator('.auth-container').filter({ has: page.locator('#auth-bearer-value') });
      await keyForm.locator('input').fill(service.key);
      await keyForm.locator('.auth-btn-wrapper button.authorize').click();
      // The form has no input any more.
      await page.locator('.auth-btn-wrapper .btn-done').first().click();
      await page.locator('#operations-tag-Projects').click();
      const operation = page.locator('#operations-Projects-listProjects');
      await operation.click();
      await operation.getByRole('button', { name: 'Try it out' }).click();
      await operation.getByRole('button', { name: 'Execute' }).click();
      const status = operation.locator('.live-responses-table tbody .response-col_status').first();
      await status.waitFor();
      expect(await status.innerText()).toContain('200');
      if (process.env.SCREENSHOTS)
        await page.screenshot({ path: join(process.env.SCREENSHOTS, 'docs.png'), fullPage: true });
      await closeBrowser(page);
    },
  );
});
