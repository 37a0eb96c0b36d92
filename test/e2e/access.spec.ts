import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { firstMissing, grantableScopes, type GrantedScope, type Scope } from '../../src/kernel/access/scopes.js';
import { Routes, type Route } from '../../src/kernel/access/routes.js';
import { aliasesOf } from '../support/documented.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let routes: readonly Route[];

beforeAll(async () => {
  service = await startTestService();
  routes = service.app.get(Routes).all();
});
afterAll(() => service.stop());

const keyed = () =>
  routes.flatMap((route) => (route.rules[0]?.kind === 'key' ? [{ ...route, ...route.rules[0] }] : []));

const pathOf = (route: Route, project: string | number) =>
  route.path.replace(':project_id', String(project)).replace(/:\w+/g, randomUUID());

/** A stream of events would go on. */
const briefly = ({ path }: Route) => (path.endsWith('/events/live') ? { query: { max_seconds: 1 } } : {});

/** Routes that need a body answer 400 without one, and that is past every check made here. */
const call = (route: Route, project: string | number, key: string | null) =>
  service.call(route.method as 'GET', pathOf(route, project), { key, ...briefly(route) });

describe('every route', () => {
  it('is known to the walk', () => {
    expect(routes.length).toBeGreaterThanOrEqual(14);
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toContain('PATCH /api/projects/:project_id');
  });

  it('has exactly one access rule', () => {
    const faulty = routes
      .filter(({ rules }) => rules.length !== 1)
      .map(({ controller, handler }) => `${controller}.${handler}`);
    expect(faulty).toEqual([]);
  });

  it('asks only for scopes a key can hold', () => {
    const unknown = keyed().flatMap((route) => route.scopes.filter((scope) => !grantableScopes.includes(scope)));
    expect(unknown).toEqual([]);
  });

  it('answers 401 without a key, and says how to authenticate', async () => {
    for (const route of keyed()) {
      const answer = await call(route, service.project.id, null);
      expect([route.path, answer.status, answer.body]).toEqual([
        route.path,
        401,
        expect.objectContaining({ type: 'authentication_error', code: 'not_authenticated', attr: null, status: 401 }),
      ]);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('gives unknown, revoked, expired and malformed keys the same 401', async () => {
    const revoked = await service.newKey();
    await service.call('DELETE', `/api/personal_api_keys/${revoked.id}`);
    const expired = await service.newKey({ expiresAt: new Date(Date.now() - 1000) });
    const keys = ['phx_nonsense', 'phc_abc', mistyped(service.key), revoked.text, expired.text];
    for (const route of keyed()) {
      for (const key of keys) {
        const answer = await call(route, service.project.id, key);
        expect([route.path, answer.status]).toEqual([route.path, 401]);
        expect({ ...(answer.body as object), request_id: '' }).toEqual({
          type: 'authentication_error',
          code: 'authentication_failed',
          detail: expect.stringMatching(/^The API key is not valid: send a personal API key/),
          attr: null,
          status: 401,
          request_id: '',
        });
      }
    }
  });

  it('answers an unknown and a foreign project with the same 404, before it looks at scopes', async () => {
    const foreign = await service.newProject();
    const limited = await service.newKey({ scopes: ['activity_log:read'], projectIds: [service.project.id] });
    for (const route of keyed().filter(({ path }) => path.includes(':project_id'))) {
      const bodies: unknown[] = [];
      for (const project of [foreign.id, 999_999, 'nonsense', '2147483648', '-1', '1.0', '%00']) {
        const answer = await call(route, project, limited.text);
        expect([route.path, project, answer.status]).toEqual([route.path, project, 404]);
        const named = decodeURIComponent(String(project));
        expect(answer.body).toMatchObject({
          detail: `project ${named} is not open to this key: it opens ${service.project.id}`,
        });
        bodies.push({ ...(answer.body as object), detail: '', request_id: '' });
      }
      expect(new Set(bodies.map((body) => JSON.stringify(body))).size).toBe(1);
    }
  });

  it('lists the projects of a key that opens several, for @current', async () => {
    const ids = [service.project.id, (await service.newProject()).id];
    const both = await service.newKey({ projectIds: ids });
    const answer = await service.call('GET', '/api/projects/@current/persons', { key: both.text });
    expect(answer.body).toMatchObject({
      status: 404,
      detail: `@current stands for the only project of a key: this one opens ${ids.join(' and ')}`,
    });
  });

  it('opens exactly to the keys that hold its scopes: route × subset', async () => {
    const keys = new Map<string, string>();
    const keyWith = async (held: readonly GrantedScope[]) => {
      const name = held.join(' ');
      const text = keys.get(name) ?? (await service.newKey({ scopes: held })).text;
      keys.set(name, text);
      return text;
    };
    for (const route of keyed().filter(({ onlySessions }) => !onlySessions)) {
      for (const held of subsets(route.scopes)) {
        const answer = await call(route, service.project.id, await keyWith(held));
        const missing = firstMissing(held, route.scopes);
        const where = `${route.method} ${route.path} with ${held.join(' ')}`;
        if (missing === null) {
          expect([where, [401, 403].includes(answer.status)]).toEqual([where, false]);
        } else {
          expect([where, answer.status, (answer.body as { detail: string }).detail]).toEqual([
            where,
            403,
            `The API key lacks the scope ${missing}`,
          ]);
          expect(answer.headers['x-required-scopes']).toBe(route.scopes.join(' '));
        }
      }
    }
  });

  it('says its scopes in the OpenAPI document', async () => {
    const answer = await fetch(`${service.url}/openapi.json`);
    const document = (await answer.json()) as {
      paths: Record<string, Record<string, { 'x-required-scopes'?: Scope[]; security: unknown[] }>>;
    };
    // What SDKs ask at start-up is no part of the interface: open, empty and undocumented. Only providers call back.
    // DELETE of a cohort is a 405 of its own, and no operation; other routes that only refuse are none either.
    const isOperation = ({ controller, handler, refuses }: (typeof routes)[number]) =>
      !refuses &&
      !['SdkController', 'OidcCallbackController'].includes(controller) &&
      !(controller === 'CohortsController' && handler === 'remove');
    for (const route of routes.filter(isOperation)) {
      const path = route.path.replace(/:(\w+)/g, '{$1}');
      const item = document.paths[path] ?? Object.values(document.paths).find((one) => aliasesOf(one).includes(path));
      const operation = item?.[route.method.toLowerCase()];
      const [rule] = route.rules;
      expect([route.path, operation?.['x-required-scopes']]).toEqual([
        route.path,
        rule?.kind === 'key' ? rule.scopes : undefined,
      ]);
      const schemes = rule?.kind === 'key' && !rule.onlySessions ? [{ personalApiKey: [] }] : [];
      expect(operation?.security).toEqual(rule?.kind === 'key' ? [...schemes, { session: [] }] : []);
    }
  });
});

describe('pages of any origin', () => {
  it('may call what SDKs call, and nothing else', async () => {
    const origin = 'https://shop.example.test';
    for (const { path, controller, rules } of routes) {
      const isForSdks = rules[0]?.kind === 'project_token' || controller === 'SdkController';
      const url = service.url + path.replace(':type', 'track').replace(/:\w+/g, 'x');
      const preflight = await fetch(url, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'authorization' },
      });
      const allowed = preflight.headers.get('access-control-allow-origin');
      expect([path, allowed]).toEqual([path, isForSdks ? origin : null]);
      if (!isForSdks) continue;
      expect([path, preflight.status, preflight.headers.get('access-control-allow-headers')]).toEqual([
        path,
        200,
        'authorization',
      ]);
    }
  });
});

describe('@current', () => {
  it('is the project of a key that opens exactly one', async () => {
    const only = await service.newKey({ projectIds: [service.project.id] });
    const answer = await service.call('GET', '/api/projects/@current', { key: only.text });
    expect(answer.body).toEqual((await service.call('GET', `/api/projects/${service.project.id}`)).body);
  });

  it('is 404 for a key that opens several', async () => {
    await service.newProject();
    expect((await service.call('GET', '/api/projects/@current')).status).toBe(404);
  });
});

describe('a path behind a key, asked with a method it does not have', () => {
  it('tells of its methods only after the checks of the key', async () => {
    const path = `/api/projects/${service.project.id}`;
    expect((await service.call('PUT', path, { key: null })).status).toBe(401);
    expect((await service.call('PUT', '/api/projects/999999')).status).toBe(404);
    const answer = await service.call('PUT', path);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'DELETE, GET, HEAD, PATCH']);
    expect(answer.body).toMatchObject({ type: 'invalid_request', code: 'method_not_allowed', status: 405 });
  });
});

const mistyped = (key: string): string => key.slice(0, -1) + (key.endsWith('a') ? 'b' : 'a');

/** Every subset of the scopes a route names, each also by the scopes that imply one, and what is beside the point. */
const subsets = (named: readonly GrantedScope[]): GrantedScope[][] => {
  const base = named.reduce<GrantedScope[][]>((sets, scope) => sets.flatMap((set) => [set, [...set, scope]]), [[]]);
  const widened = base.map((set) => set.map((scope) => scope.replace(/:read$/, ':write') as GrantedScope));
  const unrelated = grantableScopes.filter((scope) => scope !== '*' && firstMissing([scope], named) !== null);
  return [...base, ...widened, unrelated, ['*'] as GrantedScope[]].filter(
    (set) => set.length > 0 && set.every((scope) => grantableScopes.includes(scope)),
  );
};
