import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maxAnswerLength } from '../../src/mcp/tools/bounded-answer.js';
import { tools } from '../../src/mcp/tools/tool-table.js';
import { hostileTexts } from '../support/hostile-texts.js';
import { McpCaller } from '../support/mcp.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { makeTenant, type Tenant } from '../support/tenant.js';

const runs = process.env.EVERY_CASE ? 5000 : 200;
const seed = process.env.EVERY_CASE ? Date.now() : 52;

let service: ServiceHandle;
let tenant: Tenant;
let caller: McpCaller;

beforeAll(async () => {
  service = await sharedService();
  tenant = await makeTenant(service, 'fuzzed');
  caller = await McpCaller.connect(service.url, (await service.newKey({ projectIds: [tenant.projectId] })).text);
});
afterAll(async () => {
  await caller.close();
  await service.stop();
});

const text = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ maxLength: 50 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
);

const idsOf = (): unknown[] => [tenant.personId, tenant.cohortId, tenant.insightId, tenant.actionId, tenant.webhookId];

const value = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    ...[text, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.constantFrom(...idsOf())],
    fc.constantFrom('..', '.', '../persons', '%2e%2e', '@current', 'activity', '__proto__', '9'.repeat(400)),
    fc.jsonValue({ maxDepth: 3 }),
    fc.array(fc.record({ id: text, key: text, operator: text, value: fc.jsonValue() }, { requiredKeys: [] }), {
      maxLength: 3,
    }),
  );

const names = [
  ...new Set(tools.flatMap(({ shows }) => shows)),
  'project_id',
  'format',
  'deleted',
  'idempotency_key',
  '__proto__',
];

const calls = () =>
  fc.constantFrom(...tools).chain((tool) =>
    fc.record({
      tool: fc.constant(tool),
      operation: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...Object.keys(tool.operations)) },
        { weight: 1, arbitrary: value() },
      ),
      given: fc.dictionary(fc.oneof(fc.constantFrom(...names), fc.constantFrom(...tool.shows)), value(), {
        maxKeys: 5,
      }),
    }),
  );

it('any arguments get an answer or a refusal that says why, and delete nothing without a preview', async () => {
  const check = async ({
    tool,
    operation,
    given,
  }: {
    tool: (typeof tools)[number];
    operation: unknown;
    given: object;
  }) => {
    const answer = await caller.call(tool.name, { ...given, operation });
    const { status = 200, detail } = answer.value as { status?: number; detail?: string };
    expect(answer.text.length).toBeLessThan(maxAnswerLength * 1.1);
    if (answer.isError) expect([status >= 400 && status < 500, typeof detail]).toEqual([true, 'string']);
    if (tool.isDestructive) expect(answer.isError || answer.value.done === false).toBe(true);
  };
  await fc.assert(fc.asyncProperty(calls(), check), { numRuns: runs, seed, endOnFailure: true });
  const { value: person } = await caller.call('find_persons', { operation: 'get', id: tenant.personId });
  expect(person.id).toBe(tenant.personId);
});

it('any message gets an answer of the protocol or of HTTP', async () => {
  const message = fc.oneof(
    fc.jsonValue(),
    fc.record(
      { jsonrpc: fc.constantFrom('2.0', '1.0'), id: fc.jsonValue(), method: text, params: fc.jsonValue() },
      { requiredKeys: [] },
    ),
    fc.record({
      jsonrpc: fc.constant('2.0'),
      id: fc.integer(),
      method: fc.constantFrom('tools/call', 'tools/list', 'resources/read', 'initialize', 'ping', 'prompts/list'),
      params: fc.oneof(fc.jsonValue(), fc.record({ name: text, uri: text, arguments: fc.jsonValue() })),
    }),
  );
  const send = async (body: unknown) => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${service.key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBeLessThan(500);
    const sent = await answer.text();
    if (answer.status !== 202) expect(() => JSON.parse(sent) as unknown).not.toThrow();
  };
  await fc.assert(fc.asyncProperty(message, send), { numRuns: runs, seed, endOnFailure: true });
});
