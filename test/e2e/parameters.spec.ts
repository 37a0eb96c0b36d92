import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { maxGroupTypes } from '../../src/kernel/projection/named-groups.js';
import { MovedMembers } from '../../src/kernel/memberships/moved-members.js';
import { seedEvents } from '../../src/app/demo/seed-events.js';
import { writeSeed } from '../../src/app/demo/write-seed.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { bodySchemaOf } from '../support/documented.js';
import { sampleOf } from '../support/sample.js';
import { type Answer, type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { isOnlyForSessions, signedIn, type Browser } from '../support/signed-in.js';

type Value = string | number | boolean;

interface Documented {
  readonly name: string;
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly enum?: readonly Value[];
  readonly default?: Value;
}

interface Field {
  readonly 'x-default'?: Value;
}

interface Operation {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly inBody: boolean;
  /** The names of all its parameters. */
  readonly known: readonly string[];
  /** Parameters with a bound, choices or a default. */
  readonly parameters: readonly Documented[];
  /** True if it refuses API keys. */
  readonly isForSessions: boolean;
}

const now = '2026-03-01T12:00:00Z';

/** What a parameter needs beside it to be looked at. */
const beside: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  breakdown_limit: { breakdown: 'plan' },
  breakdown_type: { breakdown: '1', breakdown_group_type_index: '0' },
  breakdown_attribution_value: { breakdown_attribution_type: 'step' },
  breakdown_histogram_bin_count: { breakdown: 'plan' },
  breakdown_normalize_url: { breakdown: 'plan' },
  compare_label: { compare: 'true' },
  entity_math: { entity_id: 'a' },
  entity_order: { entity_id: 'a' },
  funnel_window_interval: { funnel_window_interval_unit: 'second' },
};

const besideOf = ({ path }: Operation, name: string): Readonly<Record<string, string>> =>
  path.endsWith('/path') && name.startsWith('funnel_') && name !== 'funnel_paths'
    ? { ...beside[name], funnel_paths: 'after_step', events: '[{"id":"a"}]' }
    : (beside[name] ?? {});

/** Bodies that hold no fault, which would be named in place of one in the query. */
const bodies: Readonly<Record<string, object>> = {
  'POST /api/projects/{project_id}/alerts/backtest': {
    insight: 1,
    threshold: { configuration: { type: 'absolute', bounds: { upper: 1 } } },
  },
  'POST /api/projects/{project_id}/actions': { name: 'Anything', steps: [{}] },
  'POST /api/projects/{project_id}/cohorts': { name: 'Anyone' },
  'POST /api/projects/{project_id}/insights': { name: 'Anything', question: { type: 'trends', params: {} } },
  'POST /api/projects/{project_id}/dashboards': { name: 'Anything' },
  'PATCH /api/projects/{project_id}/persons/{id}': { properties: {} },
};

/** A question with this fault is refused once all its parameters are read, and costs ClickHouse nothing. */
const lateFault = { properties: '[{"type":"cohort","key":"id","value":2000000000}]' };

/** A stream is refused for an unknown person once its parameters are read. It would go on otherwise. */
const endless = ({ path }: Operation): Record<string, Value> =>
  path.endsWith('/events/live') ? { person_id: '2000000000' } : {};

/** What makes the defaults visible in an answer. */
const telling: Readonly<Record<string, string>> = {
  breakdown: '$browser',
  events: '[{"id":"$pageview"},{"id":"signed up"}]',
};

let service: ServiceHandle;
let emptyId: number;
let operations: readonly Operation[];
let browser: Browser;

const limited = ({ type, ...schema }: Documented): boolean =>
  type === 'boolean' || ['minimum', 'maximum', 'enum', 'default'].some((key) => key in schema);

const operationsOf = (document: OpenAPIObject): Operation[] =>
  // Capture is lenient: SDKs send what they like.
  Object.entries(document.paths).flatMap(([path, item]) =>
    (path.startsWith('/api/') ? (['get', 'post', 'patch', 'delete'] as const) : []).flatMap((verb) => {
      const operation = item[verb];
      if (!operation) return [];
      const method = verb.toUpperCase() as Operation['method'];
      const given = (operation.parameters ?? []) as { name: string; in: string; schema?: object }[];
      const query = given.flatMap(({ name, in: place, schema }) => (place === 'query' ? [{ ...schema, name }] : []));
      // DTOs have tests of their own; a question as a body has the parameters of the query string.
      const isQuestion = path.includes('/persons/') && item.get?.operationId?.startsWith('get') === true;
      const { properties = {} } = isQuestion && verb === 'post' ? bodySchemaOf(document, operation) : {};
      const fields = Object.entries(properties as Record<string, Field>).map(
        ([name, { 'x-default': fallback, ...field }]) => ({
          ...field,
          ...(fallback === undefined ? {} : { default: fallback }),
          name,
        }),
      );
      return [
        { inBody: false, all: query },
        { inBody: true, all: fields },
      ].flatMap(({ inBody, all }) => {
        const [known, parameters] = [all.map(({ name }) => name), all.filter(limited)];
        const isForSessions = isOnlyForSessions(operation);
        return parameters.length > 0 ? [{ method, path, inBody, known, parameters, isForSessions }] : [];
      });
    }),
  );

beforeAll(async () => {
  service = await sharedService();
  browser = await signedIn(service);
  operations = operationsOf((await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject);
  const empty = await service.newProject();
  emptyId = empty.id;
  const plan = { events: 2000, persons: 150, days: 10, now: new Date(now) };
  await writeSeed(
    new Postgres(service.pool),
    service.project.id,
    { events: seedEvents(plan), now: plan.now },
    new MovedMembers(),
  );
  // Both projects have as many types of groups as are possible, so that each index is one.
  const $groups = Object.fromEntries(Array.from({ length: maxGroupTypes }, (_, at) => [`type ${at}`, 'one']));
  for (const api_token of [service.project.api_token, empty.api_token]) {
    const body = { api_key: api_token, event: 'named', distinct_id: 'ada', properties: { $groups } };
    await service.call('POST', '/batch', { key: null, body });
  }
});
afterAll(() => service.stop());

const ask = (
  { method, path, inBody, isForSessions }: Operation,
  projectId: number,
  given: Readonly<Record<string, Value>>,
) => {
  const url = path.replace('{project_id}', String(projectId)).replace(/\{\w+\}/g, '1');
  const headers = { 'X-Test-Now': now };
  if (inBody) return service.call(method, url, { headers, body: given });
  const query = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
  const body = bodies[`${method} ${path}`];
  const caller = isForSessions ? browser : service;
  return caller.call(method, url, { headers, query, ...(body && { body }) });
};

const isRefused = ({ status, body }: Answer, name: string): boolean =>
  status === 400 && (body as { attr: string | null }).attr === name;

const within = ({ type, minimum, maximum, ...schema }: Documented): Value[] => [
  ...(minimum === undefined ? [] : [minimum]),
  ...(maximum === undefined ? [] : [maximum]),
  ...(type === 'boolean' ? [true, false] : (schema.enum ?? [])),
];

const beyond = ({ type, minimum, maximum, ...schema }: Documented): Value[] => [
  ...(minimum === undefined ? [] : [minimum - 1]),
  ...(maximum === undefined ? [] : [maximum + 1]),
  ...(type === 'boolean' || schema.enum ? ['unheard of'] : []),
  ...(type === 'integer' ? ['1e1'] : []),
];

/** The links of a page repeat the parameters of its question. */
/** Two answers to one question differ in the links to other pages, and in ages. */
const comparable = ({ status, text }: Answer): string =>
  `${status} ${text.replace(/"(next|previous|oldest_waiting_seconds)":("[^"]*"|[\d.]+)/g, '"$1":"…"')}`;

describe('what the OpenAPI document says of a parameter', () => {
  it('is there to be looked at', () => {
    const questions = operations.filter(({ path }) => path.includes('/persons/'));
    expect(operations.length).toBeGreaterThan(20);
    expect(questions.filter(({ inBody }) => inBody)).toHaveLength(3);
    expect(operations.flatMap(({ parameters }) => parameters).length).toBeGreaterThan(200);
  });

  it('is what a request gets: each bound and choice is accepted, and what lies beyond is a 400 that names it', async () => {
    const wrong: string[] = [];
    for (const [at, operation] of operations.entries()) {
      const { method, path, inBody, known, parameters } = operation;
      for (const parameter of sampleOf(parameters, 3, at)) {
        const { name } = parameter;
        const requested = async (value: Value, isRight: (answer: Answer) => boolean) => {
          const question = {
            // The properties of a list of definitions are names.
            ...(known.includes('properties') && !path.endsWith('/property_definitions') ? lateFault : {}),
            ...endless(operation),
            ...besideOf(operation, name),
            [name]: value,
          };
          const answer = await ask(operation, emptyId, question);
          if (!isRight(answer))
            wrong.push(
              `${method} ${path} ${inBody ? 'body' : 'query'} ${name}=${value}: ${answer.status} ${answer.text.slice(0, 200)}`,
            );
        };
        await Promise.all([
          ...within(parameter).map((value) => requested(value, (answer) => !isRefused(answer, name))),
          ...beyond(parameter).map((value) => requested(value, (answer) => isRefused(answer, name))),
        ]);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is what a request gets: the default is the same as leaving the parameter out', async () => {
    const wrong: string[] = [];
    for (const operation of sampleOf(operations, 2)) {
      const { method, path, inBody, known, parameters } = operation;
      if (method !== 'GET' && !inBody) continue;
      const defaults = parameters.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]]));
      const others: Record<string, Value> = {
        ...Object.fromEntries(Object.entries(telling).filter(([name]) => known.includes(name))),
        ...endless(operation),
      };
      const given = { ...others, ...(Object.fromEntries(defaults) as Record<string, Value>) };
      const [left, whole] = await Promise.all([
        ask(operation, service.project.id, others),
        ask(operation, service.project.id, given),
      ]);
      const isSame = left.status === 200 ? comparable(left) === comparable(whole) : left.status === whole.status;
      if (!isSame)
        wrong.push(
          `${method} ${path} ${JSON.stringify(given)}: ${whole.text.slice(0, 500)} not ${left.text.slice(0, 500)}`,
        );
    }
    expect(wrong).toEqual([]);
  });
});
