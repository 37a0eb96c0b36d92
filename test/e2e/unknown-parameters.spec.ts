import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type OpenAPIObject } from '@nestjs/swagger';
import { bodySchemaOf } from '../support/documented.js';
import { type ServiceHandle } from '../support/service-handle.js';
import { sharedService } from '../support/shared-service.js';
import { isOnlyForSessions, signedIn, type Browser } from '../support/signed-in.js';

interface Route {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** The names of its query parameters. */
  readonly query: readonly string[];
  /** The fields of its JSON body. */
  readonly fields: readonly string[];
  /** True if it refuses API keys. */
  readonly isForSessions: boolean;
}

interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
}

let service: ServiceHandle;
let routes: readonly Route[];
let browser: Browser;

const fieldsOf = (document: OpenAPIObject, operation: Operation): string[] =>
  Object.keys(bodySchemaOf(document, operation).properties ?? {});

const routesOf = (document: OpenAPIObject): Route[] =>
  Object.entries(document.paths).flatMap(([path, item]) =>
    (path.startsWith('/api/') ? (['get', 'post', 'patch', 'delete'] as const) : []).flatMap((verb) => {
      const operation = item[verb] as Operation | undefined;
      if (!operation) return [];
      const query = (operation.parameters ?? []).flatMap(({ name, in: place }) => (place === 'query' ? [name] : []));
      const method = verb.toUpperCase() as Route['method'];
      const isForSessions = isOnlyForSessions(operation);
      return [{ method, path, query, fields: fieldsOf(document, operation), isForSessions }];
    }),
  );

beforeAll(async () => {
  service = await sharedService();
  browser = await signedIn(service);
  routes = routesOf((await (await fetch(`${service.url}/openapi.json`)).json()) as OpenAPIObject);
});
afterAll(() => service.stop());

/** The name without its last letter but one: a name that no route has. */
const misspelt = (name: string): string => (name.length > 2 ? `${name.slice(0, -2)}${name.at(-1)}` : `${name}x`);

const send = (
  { method, path, isForSessions }: Route,
  { query, body }: { query?: Record<string, string>; body?: object },
) => {
  const url = path.replace('{project_id}', String(service.project.id)).replace(/\{\w+\}/g, '1');
  const caller = isForSessions ? browser : service;
  return caller.call(method, url, { ...(query && { query }), ...(body && { body }) });
};

const faultOf = async (route: Route, name: string, place: 'query' | 'body'): Promise<string | null> => {
  const { status, body } = await send(route, { [place]: { [name]: '1' } });
  const { attr, detail } = body as { attr?: string | null; detail?: string };
  const isRefused =
    status === 400 && attr === name && /is not known: (did you mean|known are|there are no)/.test(detail ?? '');
  return isRefused ? null : `${route.method} ${route.path} ${place} ${name}: ${status} ${attr} ${detail}`;
};

const suggestion = async (route: Route, name: string, place: 'query' | 'body'): Promise<string | null> => {
  const wrong = misspelt(name);
  const known = place === 'query' ? [...route.query, ...route.fields] : route.fields;
  if (known.includes(wrong)) return null;
  const { body } = await send(route, { [place]: { [wrong]: '1' } });
  const { detail = '' } = body as { detail?: string };
  return detail.includes('did you mean')
    ? faultOf(route, wrong, place)
    : `${route.method} ${route.path} ${wrong}: ${detail}`;
};

describe('a parameter that a route does not know', () => {
  it('is refused with the nearest name, for each parameter of each route', async () => {
    const wrong: (string | null)[] = [];
    for (const route of routes) {
      wrong.push(...(await Promise.all(route.query.map((name) => suggestion(route, name, 'query')))));
    }
    expect(routes.length).toBeGreaterThan(50);
    expect(routes.flatMap(({ query }) => query).length).toBeGreaterThan(200);
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  it('is refused when it belongs to another route', async () => {
    const all = [...new Set(routes.flatMap(({ query }) => query))];
    const wrong = await Promise.all(
      routes.map(async (route) => {
        const foreign = all.find((name) => !route.query.includes(name) && !route.fields.includes(name));
        return foreign === undefined ? null : faultOf(route, foreign, 'query');
      }),
    );
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  it('is accepted from SDKs, which send more than the service reads', async () => {
    const token = service.project.api_token;
    for (const path of ['/api/surveys/', '/api/early_access_features/', '/flags/']) {
      const { status } = await fetch(`${service.url}${path}?token=${token}&distinct_id=ada&ip=0&ver=1.2.3&_=1`);
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('is refused in the body too', async () => {
    const bodies = routes.filter(({ fields }) => fields.length > 0);
    const wrong: (string | null)[] = [];
    for (const route of bodies) {
      wrong.push(...(await Promise.all(route.fields.map((name) => suggestion(route, name, 'body')))));
    }
    expect(bodies.length).toBeGreaterThan(10);
    expect(wrong.filter(Boolean)).toEqual([]);
  });

  it('is accepted when clients of the reference product send it for presentation', async () => {
    const names = ['client_query_id', 'from_dashboard', 'insight', 'refresh', 'session_id', 'shown_as'];
    const query = Object.fromEntries(names.map((name) => [name, '1']));
    for (const path of ['persons', 'persons/trends', 'cohorts']) {
      const { status } = await service.call('GET', `/api/projects/${service.project.id}/${path}`, { query });
      expect([path, status]).toEqual([path, 200]);
    }
  });

  it('is refused with the reason when the service lacks what it asks for, unless it is switched off', async () => {
    const path = `/api/projects/${service.project.id}/persons/trends`;
    const refused = await service.call('GET', path, { query: { sampling_factor: '0.1' } });
    expect(refused.body).toMatchObject({
      attr: 'sampling_factor',
      detail: 'sampling_factor is not supported: every answer counts all events',
    });
    const off = await service.call('GET', path, { query: { sampling_factor: '', include_recordings: 'false' } });
    expect(off.status).toBe(200);
  });
});
