import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { DataSource } from 'typeorm';
import { startTestService, type Answer, type TestService } from '../support/service.js';
import { validBodies } from '../support/valid-bodies.js';
import { absentTenant, makeTenant, pathTo, type Tenant } from '../support/tenant.js';
import { places } from './tenants/places.js';

type Method = Parameters<TestService['call']>[0];

interface Operation {
  readonly method: Method;
  readonly path: string;
  /** Such as `query person_id` or `body filters`. */
  readonly places: readonly string[];
  /** Those of them, but for the path, whose values could be an id, a name or text. */
  readonly naming: readonly string[];
}

const marker = 'zebra';

let service: TestService;
let operations: readonly Operation[];
let own: Tenant;
let foreign: Tenant;
const absent = absentTenant();

beforeAll(async () => {
  service = await startTestService();
  operations = operationsOf((await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject);
  own = await makeTenant(service, 'own');
  await useLargeIds();
  foreign = await makeTenant(service, marker);
});
afterAll(() => service.stop());

/** So that an id of the foreign project cannot be taken for a status or a count when it is replaced in an answer. */
const useLargeIds = async (): Promise<void> => {
  await service.app
    .get(DataSource)
    .query(
      `SELECT setval(format('%I.%I', schemaname, sequencename)::regclass, 7654321) FROM pg_sequences WHERE schemaname = 'public'`,
    );
};

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema?: Schema;
}

const operationsOf = (document: OpenAPIObject): Operation[] => {
  const components = { ...document.components?.parameters, ...document.components?.schemas };
  const resolved = <Node extends object>(node: Node): Node =>
    '$ref' in node ? (components[String(node.$ref).split('/').at(-1) ?? ''] as Node) : node;
  const fieldsOf = (schema: Schema): [string, Schema][] => {
    const { properties = {}, allOf = [] } = resolved(schema);
    return [...Object.entries(properties), ...allOf.flatMap(fieldsOf)];
  };
  const namesNothing = (schema: Schema): boolean => {
    const { type, format, items, minimum, maximum = Infinity, ...more } = resolved(schema);
    const choices = more.anyOf ?? more.oneOf;
    if (choices) return choices.every(namesNothing);
    if (more.enum !== undefined || more.const !== undefined || format?.startsWith('date')) return true;
    const types = [type ?? []].flat().filter((one) => one !== 'null');
    if (types.length === 1 && types[0] === 'array') return items !== undefined && namesNothing(items);
    // A number with a bound, or that may be zero, is no id.
    const isBounded = minimum === 0 || maximum <= 1_000_000;
    return (
      type !== undefined &&
      types.every((one) => one === 'boolean' || (one !== 'string' && one !== 'object' && isBounded))
    );
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Record<string, NonNullable<(typeof item)['get']>>).map(([method, operation]) => {
      const parameters = (operation.parameters ?? []).map((parameter) => resolved(parameter) as Parameter);
      const bodies = Object.values((operation.requestBody as { content?: object } | undefined)?.content ?? {});
      const fields = bodies.flatMap(({ schema }: { schema?: Schema }) => fieldsOf(schema ?? {}));
      const found: [string, Schema][] = [
        ...parameters.map((one): [string, Schema] => [`${one.in} ${one.name}`, one.schema ?? {}]),
        ...fields.map(([name, schema]): [string, Schema] => [`body ${name}`, schema]),
      ];
      const naming = found.filter(([place, schema]) => !place.startsWith('path ') && !namesNothing(schema));
      return {
        method: method.toUpperCase() as Method,
        path,
        places: found.map(([place]) => place),
        naming: naming.map(([place]) => place),
      };
    }),
  );
};

const inProject = () => operations.filter(({ path }) => path.startsWith('/api/projects/{project_id}/'));

const queries: Readonly<Record<string, object>> = {
  'GET cohorts/{id}/explain': { person_id: '1' },
  'GET groups/find': { group_type_index: '0', group_key: 'probe' },
  'GET groups/property_values': { group_type_index: '0', key: 'plan' },
  'GET events/live': { max_seconds: '1' },
};
const january = { date_from: '2024-01-01', date_to: '2024-01-31' };

const send = async (
  { method, path, places: known }: Operation,
  tenant: Tenant,
  place: string,
  probe: { value: unknown; beside?: object },
): Promise<Answer> => {
  const route = `${method} ${path.replace('/api/projects/{project_id}/', '')}`;
  const [where, name = ''] = place.split(' ');
  const more = { ...(known.includes(`${where} date_from`) ? january : {}), ...probe.beside, [name]: probe.value };
  const filled = pathTo(path, { ...tenant, projectId: own.projectId });
  const isDefinition = name === 'filters' || name === 'groups';
  const body =
    isDefinition && route === 'POST cohorts' ? { name: 'probe', ...more } : { ...validBodies[route], ...more };
  const query = { ...queries[route] };
  if (where === 'path')
    return service.call(method, filled, { query, ...(hasBody(method) ? { body: validBodies[route] ?? {} } : {}) });
  const ofOwn = pathTo(path, own);
  if (where === 'body') {
    const answer = await service.call(method, ofOwn, { body, query });
    if (route === 'POST persons/{id}/merge' && name === 'distinct_ids') await takeBack(tenant.distinctId);
    return answer;
  }
  const texts = Object.entries({ ...queries[route], ...more }).map(([key, value]) => [
    key,
    typeof value === 'object' ? JSON.stringify(value) : String(value),
  ]);
  const sent = Object.fromEntries(texts) as Record<string, string>;
  return service.call(method, ofOwn, { query: sent, ...(hasBody(method) ? { body: validBodies[route] ?? {} } : {}) });
};

/** A merge gives the person a distinct id that has no person in its project. */
const takeBack = async (distinctId: string): Promise<void> => {
  const persons = `/api/projects/${own.projectId}/persons`;
  const body = { distinct_ids_to_split: [distinctId] };
  expect((await service.call('POST', `${persons}/${own.personId}/split`, { body })).status).toBe(200);
  await service.call('POST', `${persons}/bulk_delete`, { body: { distinct_ids: [distinctId] } });
};

const hasBody = (method: Method): boolean => method === 'POST' || method === 'PATCH';

/** `query` is the text that the request before has stored in the cohort. */
const volatile = new Set([
  ...['id', 'uuid', 'request_id', 'created_at', 'updated_at', 'last_calculation', 'as_of', 'at', 'elapsed_ms', 'query'],
  ...['timings', 'start_time', 'end_time', 'last_refresh', 'resolved_date_range'],
  ...['up_to', 'confirm', 'confirm_until'],
]);

/** The answer without what differs between any two requests, and with each id of the tenant replaced by its name. */
const comparable = (answer: Answer, tenant: Tenant): string => {
  const text = JSON.stringify([answer.status, answer.body], (key, value: unknown) =>
    volatile.has(key) ? undefined : value,
  );
  return Object.entries(tenant)
    .filter(([name]) => name !== 'projectId' && name !== 'cursors')
    .sort(([, a], [, b]) => String(b).length - String(a).length)
    .reduce((replaced, [name, id]) => {
      const shown = String(id);
      return replaced.replaceAll(encodeURIComponent(shown), name).replaceAll(shown, name);
    }, text ?? '');
};

const everythingOf = async ({ projectId }: Tenant): Promise<string> => {
  const lists = [
    'persons',
    'groups',
    'events',
    'cohorts',
    'actions',
    'insights',
    'dashboards',
    'annotations',
    'feature_flags',
    'alerts',
    'webhooks',
    'batch_exports',
    'members',
    'invitations',
    'catalogue/events',
    'deletion_requests',
    'persons/activity',
    'cohorts/activity',
  ];
  const answers = await Promise.all(
    lists.map((list) => service.call('GET', `/api/projects/${projectId}/${list}`, { query: { limit: 100 } })),
  );
  return JSON.stringify(answers.map(({ body }) => body));
};

describe('a record of another project', () => {
  it('has every place where it could be named in the table', () => {
    const documented = new Set(inProject().flatMap(({ naming }) => naming));
    expect([...documented].filter((place) => !Object.hasOwn(places, place))).toEqual([]);
    expect(Object.keys(places).filter((place) => !documented.has(place))).toEqual([]);
  });

  it('is never told from one that does not exist, wherever its id stands, and is never shown or changed', async () => {
    const before = await everythingOf(foreign);
    let compared = 0;
    for (const operation of inProject()) {
      for (const place of operation.naming) {
        const probes = places[place];
        const [here, nowhere] = [probes?.(foreign) ?? [], probes?.(absent) ?? []];
        for (const [at, probe] of here.entries()) {
          const shown = await send(operation, foreign, place, probe);
          const unknown = await send(operation, absent, place, nowhere[at] ?? probe);
          const where = `${operation.method} ${operation.path}, ${place} ${JSON.stringify(probe.value)}`;
          expect([where, comparable(shown, foreign)]).toEqual([where, comparable(unknown, absent)]);
          expect([where, withoutProbe(shown, probe).includes(marker)]).toEqual([where, false]);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
    // The second parameter of query/{query} is the kind of a node, which names no record.
    for (const operation of inProject().filter(({ path }) => /\{.*\{(?!query\})/.test(path))) {
      for (const names of [(of: Tenant) => of, (of: Tenant) => ({ ...of, personId: of.personUuid })]) {
        const [shown, unknown] = [
          await send(operation, names(foreign), 'path', { value: null }),
          await send(operation, names(absent), 'path', { value: null }),
        ];
        const where = `${operation.method} ${operation.path}`;
        expect([where, shown.status]).toEqual([where, 404]);
        expect([where, comparable(shown, foreign)]).toEqual([where, comparable(unknown, absent)]);
        expect([where, withoutProbe(shown, { value: null }).includes(marker)]).toEqual([where, false]);
      }
    }
    expect(await everythingOf(foreign)).toBe(before);
  });

  it('is not reached by a cursor that was made in its project, on any list', async () => {
    const lists = inProject().filter((o) => o.places.includes('query cursor'));
    const made = new Set(foreign.cursors);
    // The live stream has no end; its positions are tried below.
    for (const { method, path } of lists.filter(({ path: list }) => !list.endsWith('/live'))) {
      const { body } = await service.call(method, pathTo(path, foreign), { query: { limit: 1 } });
      const { next } = body as { next?: string | null };
      const cursor = next ? new URL(next).searchParams.get('cursor') : null;
      if (cursor) made.add(cursor);
    }
    expect(made.size).toBeGreaterThan(2);
    for (const { method, path } of lists) {
      for (const cursor of made) {
        const answer = await service.call(method, pathTo(path, own), { query: { cursor } });
        expect([path, [200, 400].includes(answer.status), answer.status]).toEqual([path, true, answer.status]);
        expect(JSON.stringify((answer.body as { results?: unknown }).results ?? [])).not.toContain(marker);
      }
    }
  });

  it('is not reached by a position in its changes or its live events, in the address or as Last-Event-ID', async () => {
    const read = async (of: Tenant, list: string, more: { query?: object; headers?: object }): Promise<string> => {
      const url = new URL(`/api/projects/${of.projectId}/${list}`, service.url);
      for (const [name, value] of Object.entries(more.query ?? {})) url.searchParams.set(name, String(value));
      const headers = { Authorization: `Bearer ${service.key}`, Accept: 'text/event-stream', ...more.headers };
      const answer = await fetch(url, { headers, signal: AbortSignal.timeout(1500) });
      let text = `${answer.status} `;
      const body = (answer.body ?? []) as unknown as AsyncIterable<Uint8Array>;
      const decoder = new TextDecoder();
      await (async () => {
        for await (const bytes of body) text += decoder.decode(bytes);
      })().catch(() => undefined);
      return text;
    };
    const idsIn = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map(([, id]) => id ?? '');
    const changes = (of: Tenant) => `cohorts/${of.cohortId}/changes`;
    const watched = read(foreign, 'events/live', {});
    const line = { event: foreign.eventName, distinct_id: foreign.distinctId, properties: { secret: marker } };
    const { api_token } = (await service.call('GET', `/api/projects/${foreign.projectId}`)).body as {
      api_token: string;
    };
    const sent = await fetch(`${service.url}/batch`, {
      method: 'POST',
      body: JSON.stringify({ api_key: api_token, batch: [line] }),
    });
    expect(sent.status).toBe(200);
    const positions = [...idsIn(await watched), ...idsIn(await read(foreign, changes(foreign), {}))];
    expect(positions.length).toBeGreaterThan(1);
    // Positions are not signed, so anyone can write those of another project.
    const written = ['c:0:0', 'c:1:0', 's:999999999999999:0', 's:1:0', 'p:999999999999999:0'].map((text) =>
      Buffer.from(text).toString('base64url'),
    );
    const answers: string[] = [];
    const ofForeignCohort: string[] = [];
    for (const position of [positions[0], positions.at(-1), ...written]) {
      const [here, there] = await Promise.all([
        Promise.all([
          read(own, 'events/live', { query: { cursor: position } }),
          read(own, 'events/live', { headers: { 'Last-Event-ID': position } }),
          read(own, changes(own), { query: { after: position } }),
          read(own, changes(own), { headers: { 'Last-Event-ID': position } }),
        ]),
        read(own, changes(foreign), { query: { after: position } }),
      ]);
      answers.push(...here);
      ofForeignCohort.push(there);
    }
    expect([...answers, ...ofForeignCohort].filter((text) => text.includes(marker) || /^5/.test(text))).toEqual([]);
    expect(answers.filter((text) => text.startsWith('200')).length).toBeGreaterThan(0);
    // A position that is none is refused first.
    expect(ofForeignCohort.filter((text) => !/^40[04]/.test(text))).toEqual([]);
    expect(ofForeignCohort.filter((text) => text.startsWith('404')).length).toBeGreaterThan(0);
  }, 60_000);

  it('does not share Idempotency-Keys with the same route of this project', async () => {
    const headers = { 'Idempotency-Key': 'shared' };
    const create = (projectId: number, name: string) =>
      service.call('POST', `/api/projects/${projectId}/cohorts`, {
        headers,
        body: { name, is_static: true, person_ids: [] },
      });
    await create(foreign.projectId, `${marker} cohort`);
    const answer = await create(own.projectId, 'mine');
    expect([answer.status, (answer.body as { name: string }).name]).toEqual([201, 'mine']);
  });

  it('cannot be put into a cohort by an upload, nor given to this project by an event', async () => {
    const form = new FormData();
    form.set('name', 'uploaded');
    form.set('is_static', 'true');
    form.set('csv', new Blob([`person_id\n${foreign.personId}\n${foreign.personUuid}\n${own.personId}`]), 'a.csv');
    const made = await fetch(`${service.url}/api/projects/${own.projectId}/cohorts?wait=20`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}` },
      body: form,
    });
    expect(await made.json()).toMatchObject({ is_calculating: false, count: 1 });

    const before = await everythingOf(foreign);
    const line = { type: 'event', event: 'x', distinct_id: foreign.distinctId, uuid: foreign.eventUuid };
    const identify = {
      type: 'event',
      event: '$identify',
      distinct_id: own.distinctId,
      properties: { $anon_distinct_id: foreign.distinctId },
    };
    const answer = await service.call('POST', `/api/projects/${own.projectId}/import`, {
      body: [line, identify].map((record) => JSON.stringify(record)).join('\n'),
      headers: { 'content-type': 'application/x-ndjson' },
    });
    expect(answer.body).toMatchObject({ events: 2, rejected: [] });
    expect(await everythingOf(foreign)).toBe(before);
  });
});

/** Errors and links repeat what the caller sent; that is not a leak. */
const withoutProbe = (answer: Answer, { value }: { value: unknown }): string => {
  const sent = JSON.stringify(value);
  const texts = [...sent.matchAll(/[\w@. -]*zebra[\w@. -]*/g)].map(([text]) => text);
  return texts.reduce(
    (left, text) => left.replaceAll(text, '').replaceAll(encodeURIComponent(text), ''),
    JSON.stringify(answer.body) ?? '',
  );
};
