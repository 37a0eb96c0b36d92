import createClient, { type Client } from 'openapi-fetch';
import { errorOf, KohortError } from './errors.js';
import { keyed } from './keyed.js';
import { walk, type Listed, type ListOptions, type ListPath, type Page } from './pages.js';
import { backOff, defaultRetries, pause, retrying, type Retries, type Send } from './retries.js';
import type { components, operations, paths } from './schema.js';

export { KohortError, type Problem } from './errors.js';
export { walk, type Listed, type ListOptions, type ListPath, type Page, type Place } from './pages.js';
export type { Retries } from './retries.js';
export type { components, operations, paths } from './schema.js';
export {
  verifyWebhook,
  WebhookError,
  type CohortChanged,
  type WebhookMessage,
  type WebhookTested,
} from './webhooks.js';

type Schemas = components['schemas'];
type Query<Name extends keyof operations> = NonNullable<operations[Name]['parameters']['query']>;

export type Person = Schemas['PersonDto'];
export type Cohort = Schemas['CohortDto'];
export type CohortChange = Schemas['CohortChangeDto'];
export type CohortDefinition = Schemas['CohortDefinition'];
export type Event = Schemas['EventDto'];
export type FunnelQuestion = Schemas['FunnelQuestion'];
export type FunnelPage = Schemas['FunnelPage'];
export type InsightPerson = Schemas['InsightPersonDto'];
export type Captured = Schemas['CaptureReplyDto'];

/** An event to be sent. One without a `uuid` gets one, so that it is stored once however often it is sent. */
export interface NewEvent {
  readonly event: string;
  readonly distinct_id: string;
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly timestamp?: string | Date;
  readonly uuid?: string;
}

export interface ChangesOptions {
  /** The `cursor` of the last change that you have processed, or `latest`. Without it the members of now come first. */
  readonly after?: string;
  readonly change?: CohortChange['change'];
  /** The feed ends when the signal is aborted. */
  readonly signal?: AbortSignal;
  /** Seconds that one request waits for a change. */
  readonly wait?: number;
}

export interface KohortOptions {
  /** The address of the service, such as `https://kohort.example.com`. */
  readonly baseUrl: string;
  /** A personal API key, `phx_…`. */
  readonly key: string;
  /** The id of the project; without it the only one that the key opens. */
  readonly project?: number;
  readonly retries?: Partial<Retries>;
  /** Sends the requests; by default the `fetch` of the platform. */
  readonly fetch?: Send;
}

const project = '/api/projects/{project_id}';

export class Kohort {
  /** Every operation of the service, by method and path. It throws a `KohortError` where the service refuses. */
  readonly api: Client<paths>;
  private readonly path: { readonly project_id: string };
  private readonly retries: Retries;
  /** Sends what may run twice although it has no `Idempotency-Key`. */
  private readonly sendRepeatable: Send;

  constructor({ baseUrl, key, project: id, retries, fetch: send = (request) => fetch(request) }: KohortOptions) {
    this.path = { project_id: id === undefined ? '@current' : String(id) };
    this.retries = { ...defaultRetries, ...retries };
    this.sendRepeatable = retrying(send, this.retries, true);
    this.api = createClient<paths>({
      baseUrl,
      headers: { authorization: `Bearer ${key}` },
      fetch: retrying(send, this.retries),
    });
    this.api.use({
      onRequest: ({ request, schemaPath }) => {
        if (keyed.has(`${request.method} ${schemaPath}`) && !request.headers.has('idempotency-key'))
          request.headers.set('idempotency-key', crypto.randomUUID());
      },
      onResponse: async ({ response }) => {
        if (!response.ok) throw errorOf(response, await response.json().catch(() => null));
      },
    });
  }

  /** All records of a list, page by page: `list('/api/projects/{project_id}/webhooks')`. */
  list<Path extends ListPath>(path: Path, { path: parts, query }: ListOptions<Path>): AsyncIterable<Listed<Path>> {
    // The types of all paths at once are more than a compiler takes; the signature has checked the parameters.
    const get = this.api.GET as unknown as (at: string, init: object) => Promise<{ data?: Page<Listed<Path>> }>;
    return walk(async (place) => {
      // The address of a next page names its position by an offset, also in lists that count pages.
      const position = place.offset === undefined ? {} : { page: undefined, ...place };
      return bodyOf(
        await get(path, { params: { path: { ...this.path, ...parts }, query: { ...query, ...position } } }),
      );
    });
  }

  persons(query: Query<'listPersons'> = {}): AsyncIterable<Person> {
    return this.list(`${project}/persons`, { query });
  }

  events(query: Query<'listEvents'> = {}): AsyncIterable<Event> {
    return this.list(`${project}/events`, { query });
  }

  cohorts(query: Query<'listCohorts'> = {}): AsyncIterable<Cohort> {
    return this.list(`${project}/cohorts`, { query });
  }

  /** The members of a cohort. */
  members(id: number, query: Query<'listCohortPersons'> = {}): AsyncIterable<Person> {
    return this.list(`${project}/cohorts/{id}/persons`, { path: { id }, query });
  }

  /** Sends events with the token of the project, `phc_…`. Look at `rejected` and `warnings` of the answer. */
  async capture(token: string, events: readonly NewEvent[]): Promise<Captured> {
    const batch = events.map((event) => ({ uuid: crypto.randomUUID(), ...event }));
    const body = { api_key: token, batch: JSON.parse(JSON.stringify(batch)) as Schemas['CapturedEvent'][] };
    // The key of the client opens the private API only.
    const init = { body, headers: { authorization: null }, fetch: this.sendRepeatable };
    return bodyOf(await this.api.POST('/batch', init));
  }

  /** Makes a cohort, and waits at most `wait` seconds for its members. */
  async createCohort(body: Schemas['CreateCohortBody'], { wait = 0 } = {}): Promise<Cohort> {
    return bodyOf(await this.api.POST(`${project}/cohorts`, { params: { path: this.path, query: { wait } }, body }));
  }

  async updateCohort(id: number, body: Schemas['UpdateCohortBody'], { wait = 0 } = {}): Promise<Cohort> {
    const params = { path: { ...this.path, id }, query: { wait } };
    return bodyOf(await this.api.PATCH(`${project}/cohorts/{id}`, { params, body }));
  }

  /**
   * Who enters and leaves a cohort, as it happens, until the signal is aborted. Once it has started, the feed outlives broken
   * connections and restarts of the service. Store the `cursor` of each change with what you have made of it, and pass it as
   * `after` to continue there.
   */
  async *changes(id: number, options: ChangesOptions = {}): AsyncGenerator<CohortChange, void, undefined> {
    const { signal, wait = 30, ...query } = options;
    let isStarted = false;
    for (let failures = 0; !signal?.aborted;) {
      const params = { path: { ...this.path, id }, query: { ...query, wait } };
      try {
        const page = bodyOf(await this.api.GET(`${project}/cohorts/{id}/changes`, { params, signal }));
        // The other formats, which are text, are not asked for.
        const { results, cursor } = page as Schemas['CohortChangesDto'];
        yield* results;
        query.after = cursor;
        [isStarted, failures] = [true, 0];
      } catch (error) {
        if (signal?.aborted) return;
        if (!isStarted || !isPassing(error)) throw error;
        const ms = error instanceof KohortError && error.retryAfter !== null ? error.retryAfter * 1000 : null;
        await pause(ms ?? backOff((failures += 1), this.retries), signal).catch(() => undefined);
      }
    }
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

/** A broken connection, or an answer that says to come back. */
const isPassing = (error: unknown): boolean =>
  error instanceof KohortError ? [408, 429, 502, 503, 504].includes(error.status) : true;
