import { setTimeout as sleep } from 'node:timers/promises';
import { Caller } from './caller.js';
import { Random } from './random.js';

/** A tenant of the scene with ids that requests can name. */
export interface Tenant {
  readonly id: number;
  readonly token: string;
  readonly persons: readonly { readonly id: number; readonly uuid: string }[];
  readonly distinctIds: readonly string[];
  readonly events: readonly string[];
  readonly cohorts: readonly number[];
  readonly staticCohorts: readonly number[];
  readonly actions: readonly number[];
  readonly insights: readonly number[];
  readonly dashboards: readonly number[];
  readonly deletionRequests: readonly string[];
}

/** Records that may be deleted or changed; the upkeep makes new ones. */
export interface Throwaways {
  persons: { readonly id: number; readonly uuid: string }[];
  distinctIds: string[];
  cohorts: number[];
  actions: number[];
  insights: number[];
  dashboards: number[];
  keys: string[];
  users: number[];
  invitations: string[];
}

export interface Scene {
  readonly mine: Tenant;
  readonly foreign: Tenant;
  /** A project that requests may reconfigure and fill. */
  readonly spare: { readonly id: number; readonly token: string };
  readonly keys: SceneKeys;
  readonly throwaways: Throwaways;
}

export interface SceneKeys {
  readonly full: string;
  readonly underprivileged: readonly string[];
  readonly foreign: string;
  readonly revoked: string;
  readonly expired: string;
  /** Ids of keys that requests need, so that none of them is revoked. */
  readonly ids: readonly string[];
}

export const eventNames = ['$pageview', 'signed up', 'paid', "o'hara \\ 100%", 'logged out'];
export const plans = ['free', 'pro', 'team'];

const personCount = 40;
const eventsPerPerson = 12;

interface Id {
  readonly id: number;
  readonly uuid: string;
}

const day = 86_400_000;

const linesOf = (prefix: string, persons: number, events: number): string => {
  const random = new Random(1, persons);
  const now = Date.now();
  const lines: object[] = [];
  for (let n = 0; n < persons; n++) {
    const distinct_ids = [`${prefix}-${n}`, `${prefix}-${n}-b`];
    const properties = { email: `${prefix}${n}@example.test`, plan: random.pick(plans), size: n, beta: n % 2 === 0 };
    lines.push({ type: 'person', distinct_ids, properties, created_at: new Date(now - 20 * day), is_identified: true });
    for (let e = 0; e < events; e++) {
      const timestamp = new Date(now - random.integer(60_000, 6 * day)).toISOString();
      const detail = { $current_url: `https://shop.test/${e % 4}`, amount: e * 10, plan: random.pick(plans) };
      const event = random.pick(eventNames);
      lines.push({ type: 'event', event, distinct_id: distinct_ids[e % 2], timestamp, properties: detail });
    }
  }
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
};

const group = (...values: object[]) => ({ properties: { type: 'AND', values } });
const criteria = [
  group({ type: 'person', key: 'plan', operator: 'exact', value: ['pro'] }),
  group({
    type: 'behavioral',
    value: 'performed_event',
    key: 'signed up',
    event_type: 'events',
    time_value: 30,
    time_interval: 'day',
  }),
  group({ type: 'person', key: 'size', operator: 'gt', value: 10 }),
];

const tenantOf = async (admin: Caller, name: string): Promise<Tenant> => {
  const { id, api_token: token } = await admin.post<{ id: number; api_token: string }>('/api/projects', { name });
  const project = `/api/projects/${id}`;
  await admin.importLines(id, linesOf(name, personCount, eventsPerPerson));
  const steps = [{ event: 'paid', url: '/1' }, { event: 'signed up' }];
  const action = await admin.post<Id>(`${project}/actions`, { name: 'an action', steps });
  const params = { events: [{ id: 'paid' }], date_from: '-30d' };
  const question = { type: 'trends', params };
  const insight = await admin.post<Id>(`${project}/insights`, { name: 'an insight', question });
  const tiles = [{ insight_id: insight.id }, { insight_id: insight.id }];
  const dashboard = await admin.post<Id>(`${project}/dashboards`, { name: 'a dashboard', tiles });
  const cohorts: number[] = [];
  for (const filters of criteria)
    cohorts.push((await admin.post<Id>(`${project}/cohorts`, { name: 'dynamic', filters })).id);
  const listed = await admin.get<{ results: Id[] }>(`${project}/persons?limit=100`);
  const persons = listed.results.slice(2);
  const person_ids = persons.slice(0, 10).map((person) => person.id);
  const fixed = await admin.post<Id>(`${project}/cohorts`, { name: 'static', is_static: true, person_ids });
  const doomed = { ids: listed.results.slice(0, 2).map((person) => person.id), delete_events: true };
  await admin.post(`${project}/persons/bulk_delete`, doomed);
  const requests = await admin.get<{ results: { id: string }[] }>(`${project}/deletion_requests`);
  return {
    id,
    token,
    persons: persons.map((person) => ({ id: person.id, uuid: person.uuid })),
    distinctIds: Array.from({ length: personCount }, (_, n) => `${name}-${n}`),
    events: await eventsOf(admin, project),
    cohorts,
    staticCohorts: [fixed.id],
    actions: [action.id],
    insights: [insight.id],
    dashboards: [dashboard.id],
    deletionRequests: requests.results.map((request) => request.id),
  };
};

/** Events are listed once the projection has them. */
const eventsOf = async (admin: Caller, project: string): Promise<string[]> => {
  for (let tries = 0; tries < 100; tries++) {
    const { results } = await admin.get<{ results: { uuid: string }[] }>(`${project}/events?limit=50`);
    if (results.length > 0) return results.map(({ uuid }) => uuid);
    await sleep(100);
  }
  throw new Error('the events of the scene did not appear within 10 s');
};

const partialScopes = [
  ['person:read'],
  ['cohort:read', 'person:read'],
  ['event:read'],
  ['project:read'],
  ['api_key:read'],
];

const keysOf = async (admin: Caller, mine: Tenant, foreign: Tenant): Promise<SceneKeys> => {
  const ids: string[] = [];
  const make = async (scopes: string[], more: object = {}) => {
    const body = { label: 'fuzz', scopes, ...more };
    const { id, value } = await admin.post<{ id: string; value: string }>('/api/personal_api_keys', body);
    ids.push(id);
    return { id, value };
  };
  const full = await make(['*']);
  const revoked = await make(['*']);
  await admin.delete(`/api/personal_api_keys/${revoked.id}`);
  const expired = await make(['*'], { expires_at: new Date(Date.now() + 1500).toISOString() });
  const other = await make(['*'], { scoped_projects: [foreign.id] });
  const underprivileged: string[] = [];
  for (const scopes of partialScopes) underprivileged.push((await make(scopes, { scoped_projects: [mine.id] })).value);
  await sleep(1500);
  return {
    full: full.value,
    underprivileged,
    foreign: other.value,
    revoked: revoked.value,
    expired: expired.value,
    ids,
  };
};

export const makeScene = async (url: string, key: string): Promise<Scene> => {
  const admin = new Caller(url, key);
  const mine = await tenantOf(admin, 'mine');
  const foreign = await tenantOf(admin, 'foreign');
  const made = await admin.post<{ id: number; api_token: string }>('/api/projects', { name: 'spare' });
  return {
    mine,
    foreign,
    spare: { id: made.id, token: made.api_token },
    keys: await keysOf(admin, mine, foreign),
    throwaways: {
      persons: [],
      distinctIds: [],
      cohorts: [],
      actions: [],
      insights: [],
      dashboards: [],
      keys: [],
      users: [],
      invitations: [],
    },
  };
};

const poolSize = 40;

/** New records in place of those that requests have used up or made; runs now and then beside the requests. */
export class Upkeep {
  private round = 0;

  constructor(
    private readonly admin: Caller,
    private readonly scene: Scene,
  ) {}

  async run(): Promise<void> {
    const { mine, throwaways, keys } = this.scene;
    const round = this.round++;
    const project = `/api/projects/${mine.id}`;
    await this.admin.importLines(mine.id, linesOf(`gone-${round}`, poolSize, 1));
    const distinctIds = Array.from({ length: poolSize }, (_, n) => `gone-${round}-${n}`);
    const query = distinctIds.map((id) => `distinct_id=${id}`).join('&');
    const { results } = await this.admin.get<{ results: Id[] }>(`${project}/persons?limit=${poolSize}&${query}`);
    throwaways.persons = results.map(({ id, uuid }) => ({ id, uuid }));
    throwaways.distinctIds = distinctIds;
    await this.renewCohorts(project);
    throwaways.actions = await this.renewed(`${project}/actions`, mine.actions, { steps: [{}] });
    throwaways.dashboards = await this.renewed(`${project}/dashboards`, mine.dashboards, {});
    const question = { type: 'lifecycle', params: {} };
    throwaways.insights = await this.renewed(`${project}/insights`, mine.insights, { question });
    await this.renewKeys(keys.ids);
    await this.renewUsers(project);
  }

  private async renewCohorts(project: string): Promise<void> {
    const kept = new Set([...this.scene.mine.cohorts, ...this.scene.mine.staticCohorts]);
    const { results } = await this.admin.get<{ results: Id[] }>(`${project}/cohorts?limit=1000`);
    for (const id of kept) await this.admin.patch(`${project}/cohorts/${id}`, { deleted: false });
    for (const { id } of results)
      if (!kept.has(id)) await this.admin.patch(`${project}/cohorts/${id}`, { deleted: true });
    const person_ids = this.scene.throwaways.persons.map(({ id }) => id);
    const made: number[] = [];
    for (const body of [{ filters: criteria[0] }, { is_static: true, person_ids }])
      made.push((await this.admin.post<Id>(`${project}/cohorts`, { name: 'throwaway', ...body })).id);
    this.scene.throwaways.cohorts = made;
  }

  private async renewed(list: string, kept: readonly number[], body: object): Promise<number[]> {
    const { results } = await this.admin.get<{ results: Id[] }>(`${list}?limit=1000`);
    for (const { id } of results) if (!kept.includes(id)) await this.admin.delete(`${list}/${id}`);
    const made: number[] = [];
    for (let n = 0; n < 5; n++) made.push((await this.admin.post<Id>(list, { name: 'throwaway', ...body })).id);
    return made;
  }

  /** Some of them are members; none is the user of the keys that requests need. */
  private async renewUsers(project: string): Promise<void> {
    const { throwaways } = this.scene;
    for (const id of throwaways.users) await this.admin.delete(`/api/users/${id}`);
    const [users, invitations]: [number[], string[]] = [[], []];
    for (let n = 0; n < 5; n++) {
      const [round, role] = [this.round, 'member'];
      users.push((await this.admin.post<Id>('/api/users', { email: `user-${round}-${n}@example.test` })).id);
      if (n < 3) await this.admin.post(`${project}/members`, { user_id: users.at(-1), role });
      const body = { email: `invited-${round}-${n}@example.test`, role };
      invitations.push((await this.admin.post<{ id: string }>(`${project}/invitations`, body)).id);
    }
    throwaways.users = users;
    throwaways.invitations = invitations;
  }

  private async renewKeys(kept: readonly string[]): Promise<void> {
    const { results } = await this.admin.get<{ results: { id: string; label: string }[] }>(
      '/api/personal_api_keys?limit=1000',
    );
    const current = await this.admin.get<{ id: string }>('/api/personal_api_keys/@current');
    for (const { id } of results)
      if (!kept.includes(id) && id !== current.id) await this.admin.delete(`/api/personal_api_keys/${id}`);
    const made: string[] = [];
    for (let n = 0; n < 5; n++) {
      const body = { label: 'throwaway', scopes: ['person:read'] };
      made.push((await this.admin.post<{ id: string }>('/api/personal_api_keys', body)).id);
    }
    this.scene.throwaways.keys = made;
  }
}
