import createClient, { type Client } from 'openapi-fetch';
import { errorOf } from './errors.js';
import { walk } from './pages.js';
import { retrying, type Retries } from './retries.js';
import type { components, operations, paths } from './schema.js';

export { KohortError, type Problem } from './errors.js';
export { walk, type Page, type Place } from './pages.js';
export type { Retries } from './retries.js';
export type { components, operations, paths } from './schema.js';

type Schemas = components['schemas'];
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

export type Person = Schemas['PersonDto'];
export type Cohort = Schemas['CohortDto'];
export type CohortDefinition = Schemas['CohortDefinition'];
export type Event = Schemas['EventDto'];
export type FunnelQuestion = Schemas['FunnelQuestion'];
export type FunnelPage = Schemas['FunnelPage'];
export type InsightPerson = Schemas['InsightPersonDto'];

export interface KohortOptions {
  /** The address of the service, such as `https://kohort.example.com`. */
  readonly baseUrl: string;
  /** A personal API key, `phx_…`. */
  readonly key: string;
  /** The id of the project; without it the only one that the key opens. */
  readonly project?: number;
  readonly retries?: Partial<Retries>;
  /** Sends the requests; by default the `fetch` of the platform. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

const project = '/api/projects/{project_id}';

export class Kohort {
  /** Every operation of the service, by method and path. It throws a `KohortError` where the service refuses. */
  readonly api: Client<paths>;
  private readonly path: { readonly project_id: string };

  constructor({ baseUrl, key, project: id, retries, fetch: send = (request) => fetch(request) }: KohortOptions) {
    this.path = { project_id: id === undefined ? '@current' : String(id) };
    this.api = createClient<paths>({
      baseUrl,
      headers: { authorization: `Bearer ${key}` },
      fetch: retrying(send, { times: 3, pauseMs: 500, ...retries }),
    });
    this.api.use({
      onResponse: async ({ response }) => {
        if (!response.ok) throw errorOf(response, await response.json().catch(() => null));
      },
    });
  }

  persons(query: Query<'listPersons'> = {}): AsyncIterable<Person> {
    return walk(async (place) =>
      bodyOf(await this.api.GET(`${project}/persons`, { params: { path: this.path, query: { ...query, ...place } } })),
    );
  }

  events(query: Query<'listEvents'> = {}): AsyncIterable<Event> {
    return walk(async (place) =>
      bodyOf(await this.api.GET(`${project}/events`, { params: { path: this.path, query: { ...query, ...place } } })),
    );
  }

  cohorts(query: Query<'listCohorts'> = {}): AsyncIterable<Cohort> {
    return walk(async ({ limit, offset }) => {
      const params = { path: this.path, query: { ...query, limit, offset } };
      return bodyOf(await this.api.GET(`${project}/cohorts`, { params }));
    });
  }

  /** The members of a cohort. */
  members(id: number, query: Query<'listCohortPersons'> = {}): AsyncIterable<Person> {
    return walk(async (place) => {
      const params = { path: { ...this.path, id }, query: { ...query, ...place } };
      return bodyOf(await this.api.GET(`${project}/cohorts/{id}/persons`, { params }));
    });
  }

  /** Makes a cohort, and waits at most `wait` seconds for its members. */
  async createCohort(body: Schemas['CreateCohortBody'], { wait = 0 } = {}): Promise<Cohort> {
    return bodyOf(await this.api.POST(`${project}/cohorts`, { params: { path: this.path, query: { wait } }, body }));
  }

  async updateCohort(id: number, body: Schemas['UpdateCohortBody'], { wait = 0 } = {}): Promise<Cohort> {
    const params = { path: { ...this.path, id }, query: { wait } };
    return bodyOf(await this.api.PATCH(`${project}/cohorts/{id}`, { params, body }));
  }

  /** The numbers of a funnel, and the first page of persons. */
  async funnel(body: FunnelQuestion): Promise<FunnelPage> {
    return bodyOf(await this.api.POST(`${project}/persons/funnel`, { params: { path: this.path }, body }));
  }

  /** All persons of a step of a funnel: `funnel_step` n reached it, and -n did not. */
  funnelPersons(question: FunnelQuestion): AsyncIterable<InsightPerson> {
    return walk(({ limit = question.limit, offset = question.offset }) =>
      this.funnel({ ...question, include: 'persons', limit, offset }),
    );
  }
}

/** An answer without success has thrown before. */
const bodyOf = <T>({ data }: { readonly data?: T }): T => {
  if (data === undefined) throw new Error('the answer has no body');
  return data;
};
