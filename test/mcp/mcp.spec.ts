import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { holds, scopes, type GrantedScope } from '../../src/kernel/access/scopes.js';
import { maxAnswerLength } from '../../src/mcp/tools/bounded-answer.js';
import { notForPrograms, tools, type ToolOperation } from '../../src/mcp/tools/tool-table.js';
import { McpCaller } from '../support/mcp.js';
import { PersonsOf } from '../support/persons.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { absentTenant, makeTenant, type Tenant } from '../support/tenant.js';

interface Documented {
  readonly method: string;
  readonly path: string;
  readonly scopes: readonly GrantedScope[];
  readonly names: readonly string[];
}

let service: ServiceHandle;
let own: Tenant;
let foreign: Tenant;
let documented: ReadonlyMap<string, Documented>;
let all: McpCaller;

const marker = 'zebra';

const operationsIn = ({ paths, components }: OpenAPIObject): Map<string, Documented> => {
  const schemas = components?.schemas as Record<string, { properties?: object }>;
  const fieldsOf = (schema: { $ref?: string; properties?: object } = {}): string[] =>
    Object.keys((schema.$ref ? schemas[schema.$ref.split('/').at(-1) ?? ''] : schema)?.properties ?? {});
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item as Record<string, Record<string, never>>).map(([method, operation]): [string, Documented] => [
        String(operation.operationId),
        {
          ...{ method, path, scopes: operation['x-required-scopes'] ?? [] },
          names: [
            ...((operation.parameters as { name?: string }[] | undefined) ?? []).flatMap(({ name }) => name ?? []),
            ...fieldsOf((operation.requestBody as never)?.['content']?.['application/json']?.['schema']),
          ],
        },
      ]),
    ),
  );
};

beforeAll(async () => {
  service = await sharedService();
  documented = operationsIn((await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject);
  own = await makeTenant(service, 'own');
  foreign = await makeTenant(service, marker);
  all = await McpCaller.connect(service.url, await keyWith(['*']));
});
afterAll(async () => {
  await all.close();
  await service.stop();
});

const keyWith = async (held: readonly GrantedScope[], projectId = own.projectId): Promise<string> =>
  (await service.newKey({ scopes: held, projectIds: [projectId] })).text;

const entries = (): { tool: (typeof tools)[number]; word: string; choice: ToolOperation }[] =>
  tools.flatMap((tool) => Object.entries(tool.operations).map(([word, choice]) => ({ tool, word, choice })));

describe('the table of tools', () => {
  it('has a decision on each operation of the document, and on no other', () => {
    const decided = [...entries().map(({ choice }) => choice.of), ...Object.values(notForPrograms).flat()];
    expect([...new Set(decided)].sort()).toEqual([...documented.keys()].sort());
    expect(
      Object.values(notForPrograms)
        .flat()
        .filter((id) => entries().some(({ choice }) => choice.of === id)),
    ).toEqual([]);
  });

  it('shows arguments that the operations have', () => {
    for (const { name, shows, operations } of tools) {
      const names = new Set(Object.values(operations).flatMap(({ of }) => documented.get(of)?.names ?? []));
      expect([name, shows.filter((shown) => !names.has(shown))]).toEqual([name, []]);
    }
  });

  it('calls a tool read-only exactly if its operations only read', () => {
    // These GETs and POSTs are what the method does not say.
    const readingPosts = [
      'getPersonsByDistinctIds',
      'getPersonsByUuids',
      'askInSql',
      'explainInSql',
      'previewCohort',
      'previewFeatureFlag',
      'backtestNewAlert',
      'checkMembership',
    ];
    for (const { tool, choice } of entries()) {
      const { method } = documented.get(choice.of) ?? {};
      const isRead = (method === 'get' && choice.of !== 'duplicateCohort') || readingPosts.includes(choice.of);
      expect([choice.of, tool.isReadOnly]).toEqual([choice.of, isRead]);
    }
  });

  it('has a preview for each operation that deletes, merges or splits, and only for these', () => {
    const loses = ({ choice }: { choice: ToolOperation }) =>
      documented.get(choice.of)?.method === 'delete' ||
      ['mergePerson', 'splitPerson', 'deletePersons', 'deletePersonEvents'].includes(choice.of) ||
      choice.fixed?.deleted === true;
    for (const entry of entries()) {
      expect([entry.word, entry.choice.preview !== undefined]).toEqual([entry.word, loses(entry)]);
      expect([entry.word, entry.tool.isDestructive]).toEqual([entry.word, loses(entry)]);
      for (const part of entry.choice.preview ?? []) {
        expect(documented.get(part.of)?.method).toBe('get');
        expect(documented.get(part.of)?.names).toContain(part.to);
      }
    }
  });

  it('makes definitions of at most 4,000 tokens, of four characters each, for a key with all scopes', async () => {
    const definitions = (await all.client.listTools()).tools;
    expect(definitions).toHaveLength(tools.length + 2);
    expect(JSON.stringify(definitions).length / 4).toBeLessThanOrEqual(4000);
  });
});

describe('a client', () => {
  it('of the official library learns what the service is, and calls tools', async () => {
    expect(all.client.getServerVersion()).toMatchObject({ name: 'kohort' });
    expect(all.client.getInstructions()).toContain('read_catalogue');
    const { value } = await all.call('find_persons', { operation: 'list', search: 'own-id' });
    expect(value).toMatchObject({ count: 1, results: [{ id: own.personId, properties: { secret: 'own' } }] });
    expect(
      (await all.call('query_sql', { operation: 'ask', query: 'select count() from persons' })).value,
    ).toMatchObject({
      results: [[expect.anything()]],
    });
  });

  it('reads the catalogue, the dialect of SQL and the guides as resources', async () => {
    const { resources } = await all.client.listResources();
    const uris = resources.map(({ uri }) => uri);
    expect(uris).toEqual(expect.arrayContaining(['kohort://docs/guides/sql.md', 'kohort://docs/guides/agents.md']));
    for (const uri of uris) {
      const { contents } = await all.client.readResource({ uri });
      expect([uri, contents.length]).toEqual([uri, 1]);
      expect((contents[0] as { text: string }).text.length).toBeGreaterThan(20);
    }
    const catalogue = `kohort://projects/${own.projectId}/catalogue/events`;
    const { contents } = await all.client.readResource({ uri: catalogue });
    expect((contents[0] as { text: string }).text).toContain('own event');
    for (const uri of [
      'kohort://projects/1/catalogue/persons',
      'kohort://docs/guides/../trust.md',
      'file:///etc/passwd',
    ])
      await expect(all.client.readResource({ uri })).rejects.toThrow('there is no resource');
  });

  it('finds an operation by words, and learns all its arguments', async () => {
    const { value } = await all.call('search_tools', { query: 'persons who left a cohort' });
    const found = value.results as { tool: string; operation: string }[];
    expect(found.map(({ tool, operation }) => `${tool} ${operation}`)).toContain('read_cohorts changes');
    const { value: described } = await all.call('describe', { tool: 'read_cohorts', operation: 'changes' });
    expect(described.arguments).toMatchObject({ change: { enum: ['entered', 'left'] }, id: { required: true } });
    for (const { tool, word } of entries()) {
      const one = await all.call('describe', { tool: tool.name, operation: word });
      expect([tool.name, word, one.isError, one.text.length < maxAnswerLength]).toEqual([tool.name, word, false, true]);
    }
  });

  it('gets the suggestions of the API with a refusal, and of the tools', async () => {
    const detailOf = async (name: string, given: object) => {
      const { isError, value } = await all.call(name, given as Record<string, unknown>);
      expect(isError).toBe(true);
      return value.detail;
    };
    expect(await detailOf('find_persons', { operation: 'list', serch: 'x' })).toBe(
      'serch is not known: did you mean search?',
    );
    expect(await detailOf('find_persons', { operation: 'lst' })).toBe('lst is not known: did you mean list?');
    expect(await detailOf('find_person', {})).toMatch(/did you mean find_persons\?$/);
    expect(await detailOf('find_persons', { operation: 'get' })).toBe('id is required');
    expect(await detailOf('change_cohort', { operation: 'update', id: own.cohortId, deleted: true })).toContain(
      'delete_records',
    );
    expect(await detailOf('query_sql', { operation: 'ask', query: 'selec 1' })).toContain('did you mean SELECT?');
  });

  it('without a key is refused, and so is a page of another origin', async () => {
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const send = (headers: Record<string, string>, method = 'POST') =>
      fetch(`${service.url}/mcp`, {
        method,
        headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
        ...(method === 'POST' ? { body: message } : {}),
      });
    const authorization = `Bearer ${await keyWith(['person:read'])}`;
    expect((await send({})).status).toBe(401);
    expect((await send({ authorization })).status).toBe(200);
    expect((await send({ authorization, origin: 'https://evil.example.com' })).status).toBe(403);
    expect((await send({ authorization, origin: service.url })).status).toBe(200);
    // Nor is there single sign-on to describe.
    expect((await fetch(`${service.url}/.well-known/oauth-protected-resource`)).status).toBe(404);
    // No stream without a question, and no session to end.
    expect((await send({ authorization }, 'GET')).status).toBe(405);
    expect((await send({ authorization }, 'DELETE')).status).toBe(405);
  });
});

describe('the scopes of a key', () => {
  const offeredTo = (held: readonly GrantedScope[]): Map<string, string[]> =>
    new Map(
      tools.flatMap(({ name, operations }): [string, string[]][] => {
        const words = Object.entries(operations).flatMap(([word, { of }]) =>
          (documented.get(of)?.scopes ?? ['*']).every((scope) => holds(held, scope)) ? [word] : [],
        );
        return words.length > 0 ? [[name, words]] : [];
      }),
    );

  it.each(scopes.map((scope) => [scope]))('decide which tools and operations exist: %s', async (scope) => {
    const caller = await McpCaller.connect(service.url, await keyWith([scope]));
    const offered = offeredTo([scope]);
    const { tools: listed } = await caller.client.listTools();
    const seen = listed.slice(0, -2).map(({ name, inputSchema }) => {
      const { operation } = (inputSchema.properties ?? {}) as { operation?: { enum: string[] } };
      return [name, operation?.enum ?? offered.get(name)];
    });
    expect(seen).toEqual([...offered]);
    for (const { tool, word } of entries()) {
      const { isError, value } = await caller.call(tool.name, { operation: word, id: 999_999 });
      const isOffered = offered.get(tool.name)?.includes(word) ?? false;
      if (isOffered) expect([tool.name, word, value.status]).not.toEqual([tool.name, word, 403]);
      else expect([tool.name, word, isError, value.status]).toEqual([tool.name, word, true, 400]);
    }
    await caller.close();
  });
});

describe('a record of another project', () => {
  it('is as absent as one that no project has, for every tool', async () => {
    const absent = absentTenant();
    const idsOf = (tenant: Tenant) => ({
      ...{
        persons: tenant.personId,
        groups: tenant.groupId,
        cohorts: tenant.cohortId,
        insights: tenant.insightId,
        dashboards: tenant.dashboardId,
      },
      ...{
        annotations: tenant.annotationId,
        feature_flags: tenant.flagId,
        alerts: tenant.alertId,
        actions: tenant.actionId,
        webhooks: tenant.webhookId,
        import: tenant.importId,
      },
      ...{ deletion_requests: tenant.deletionId, events: tenant.eventUuid },
    });
    let compared = 0;
    for (const { tool, word, choice } of entries()) {
      const [, kind, parameter] =
        /project_id\}\/(\w+)\/\{(id|uuid)\}/.exec(documented.get(choice.of)?.path ?? '') ?? [];
      if (kind === undefined || parameter === undefined) continue;
      const withIds = async (tenant: Tenant) => {
        const id = idsOf(tenant)[kind as keyof ReturnType<typeof idsOf>];
        expect([choice.of, id]).not.toEqual([choice.of, undefined]);
        const more = { merge_id: tenant.mergeId, delivery_id: tenant.deliveryId, distinct_ids: [tenant.distinctId] };
        const needs = documented.get(choice.of)?.names ?? [];
        const beside = Object.fromEntries(Object.entries(more).filter(([name]) => needs.includes(name)));
        const { isError, text } = await all.call(tool.name, { operation: word, [parameter]: id, ...beside });
        return {
          isError,
          text: text.replaceAll(new RegExp(`\\b${id}\\b`, 'g'), 'ID').replace(/"request_id":"[^"]+"/, ''),
        };
      };
      const answer = await withIds(foreign);
      expect(answer).toEqual(await withIds(absent));
      expect(answer.text).not.toContain(marker);
      compared += 1;
    }
    expect(compared).toBeGreaterThan(30);
  });

  it('is not reached by its project either', async () => {
    const { isError, value } = await all.call('find_persons', { operation: 'list', project_id: foreign.projectId });
    expect([isError, value.status, value.detail]).toEqual([
      true,
      404,
      `project ${foreign.projectId} is not open to this key: it opens ${own.projectId}`,
    ]);
  });
});

describe('what deletes or merges', () => {
  const scene = async () => {
    const project = await service.newProject();
    const people = new PersonsOf(service, project.id);
    const ada = await people.make(['ada', 'ada-2'], { email: 'ada@example.test' });
    const bob = await people.make(['bob']);
    const caller = await McpCaller.connect(service.url, await keyWith(['*'], project.id));
    return { project, people, ada, bob, caller };
  };

  it('shows numbers first and changes nothing, and does it with the token of the preview', async () => {
    const { ada, caller } = await scene();
    const given = { operation: 'delete', id: ada.id, delete_events: true };
    const { value } = await caller.call('merge_or_delete_persons', given);
    expect(value).toMatchObject({
      preview: {
        persons: [{ id: ada.id, name: 'ada@example.test', distinct_id_count: 2 }],
        events: [{ count: expect.any(Number) }],
      },
      done: false,
    });
    expect((await caller.call('find_persons', { operation: 'get', id: ada.id })).isError).toBe(false);
    const done = await caller.call('merge_or_delete_persons', { ...given, confirm: value.confirm });
    expect(done.value).toMatchObject({ done: true, status: 204 });
    expect((await caller.call('find_persons', { operation: 'get', id: ada.id })).value.status).toBe(404);
  });

  it('takes a token for no other arguments, no other key, and not after ten minutes', async () => {
    const { project, ada, bob, caller } = await scene();
    const given = { operation: 'merge', id: ada.id, persons: [bob.id] };
    const { value } = await caller.call('merge_or_delete_persons', given);
    const { confirm } = value;
    const refused = { isError: true, value: expect.objectContaining({ attr: 'confirm', status: 400 }) };
    const tool = 'merge_or_delete_persons';
    expect(await caller.call(tool, { operation: 'merge', id: bob.id, persons: [ada.id], confirm })).toMatchObject(
      refused,
    );
    expect(await caller.call(tool, { operation: 'delete', id: bob.id, confirm })).toMatchObject(refused);
    expect(await caller.call(tool, { ...given, confirm: `${String(confirm)}x` })).toMatchObject(refused);
    const other = await McpCaller.connect(service.url, await keyWith(['*'], project.id));
    expect(await other.call(tool, { ...given, confirm })).toMatchObject(refused);
    const later = { 'x-test-now': new Date(Date.now() + 11 * 60_000).toISOString() };
    const key = await keyWith(['*'], project.id);
    const early = await McpCaller.connect(service.url, key);
    const late = await McpCaller.connect(service.url, key, later);
    const { value: preview } = await early.call(tool, given);
    expect(await late.call(tool, { ...given, confirm: preview.confirm })).toMatchObject(refused);
    expect((await early.call(tool, { ...given, confirm: preview.confirm })).value).toMatchObject({ id: ada.id });
    // Sent again, it is the same merge with the same answer.
    expect((await early.call(tool, { ...given, confirm: preview.confirm })).value).toMatchObject({ id: ada.id });
  });

  it('previews nothing that is not there, and counts only what the key may count', async () => {
    const { project, ada, caller } = await scene();
    const tool = 'merge_or_delete_persons';
    expect((await caller.call(tool, { operation: 'merge', id: ada.id, persons: [999_999] })).value).toMatchObject({
      status: 404,
    });
    const narrow = await McpCaller.connect(service.url, await keyWith(['person:write'], project.id));
    const { value } = await narrow.call(tool, { operation: 'delete', id: ada.id });
    expect(value.preview).toMatchObject({ events: [{ not_counted: 'The API key lacks the scope event:read' }] });
    expect(value.confirm).toEqual(expect.any(String));
  });

  it('deletes a cohort by its preview, too', async () => {
    const { people, ada, caller } = await scene();
    const body = { name: 'few', is_static: true, person_ids: [ada.id] };
    const { id } = (await people.call('POST', 'cohorts', { body })).body as { id: number };
    const { value } = await caller.call('delete_records', { operation: 'cohort', id });
    expect(value.preview).toEqual({ record: [expect.objectContaining({ id, name: 'few', count: 1 })] });
    await caller.call('delete_records', { operation: 'cohort', id, confirm: value.confirm });
    expect((await caller.call('read_cohorts', { operation: 'list' })).value).toMatchObject({ count: 0 });
  });
});

describe('the rules of the API hold for tools', () => {
  it('reads of persons are in the audit trail, with the key and the request', async () => {
    const project = await service.newProject();
    await service.call('PATCH', `/api/projects/${project.id}`, { body: { audit_reads: true } });
    const people = new PersonsOf(service, project.id);
    const ada = await people.make(['ada']);
    const made = await service.newKey({ scopes: ['person:read'], projectIds: [project.id] });
    const caller = await McpCaller.connect(service.url, made.text);
    await caller.call('find_persons', { operation: 'get', id: ada.id });
    const { body } = await service.call('GET', `/api/projects/${project.id}/audit`, { query: { key: made.id } });
    expect((body as { results: object[] }).results).toMatchObject([{ operation: 'getPerson' }]);
  });

  it('a repeated idempotency_key makes one record', async () => {
    const given = { operation: 'create', name: 'once', filters: where('plan', 'pro'), idempotency_key: 'once' };
    const [first, second] = [await all.call('change_cohort', given), await all.call('change_cohort', given)];
    expect(first.value.id).toEqual(expect.any(Number));
    expect(second.value.id).toBe(first.value.id);
    expect((await all.call('change_cohort', { ...given, name: 'twice' })).value).toMatchObject({ status: 409 });
  });

  it('answers are bounded, and name the arguments of the next page, which neither skips nor repeats', async () => {
    const project = await service.newProject();
    const people = new PersonsOf(service, project.id);
    const lines = Array.from({ length: 40 }, (_, at) =>
      JSON.stringify({ type: 'person', distinct_ids: [`person-${at}`], properties: { text: 'long '.repeat(300), at } }),
    );
    await people.call('POST', 'import', {
      body: lines.join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    const caller = await McpCaller.connect(service.url, await keyWith(['*'], project.id));
    const found: unknown[] = [];
    let page: object | undefined = { limit: 30 };
    while (page) {
      const { value, text } = await caller.call('find_persons', { operation: 'list', limit: 30, ...page });
      expect(text.length).toBeLessThan(maxAnswerLength + 1000);
      found.push(...(value.results as { id: number }[]).map(({ id }) => id));
      page = value.next_page as object | undefined;
      expect(found.length).toBeLessThanOrEqual(40);
    }
    expect(new Set(found).size).toBe(40);
    const rows = await caller.call('query_sql', {
      operation: 'ask',
      query: 'select id, properties from persons',
      limit: 1000,
    });
    // As much as fits: 40 persons of 1.5 kB do not.
    expect(rows.text.length).toBeGreaterThan(maxAnswerLength / 2);
    expect(rows.value).toMatchObject({ next_page: { offset: (rows.value.results as unknown[]).length } });
  });
});

const where = (key: string, value: string) => ({
  properties: { type: 'AND', values: [{ type: 'person', key, operator: 'exact', value: [value] }] },
});
