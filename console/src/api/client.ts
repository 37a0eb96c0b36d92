import { queryOptions, type QueryKey, type UseInfiniteQueryOptions } from '@tanstack/react-query';
import createClient, { createFinalURL, createQuerySerializer, defaultPathSerializer } from 'openapi-fetch';
import { type ListPage, type LoadPage } from './endless-list';
import { ProblemError } from './problem-error';
import { type paths } from './schema';

/** The interface of the service, typed by its own OpenAPI document. The browser adds the session's cookie. */
export const api = createClient<paths, 'application/json'>({ baseUrl: '/', credentials: 'same-origin' });

export interface Answered<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of a successful answer; everything else is thrown as a ProblemError. */
export const bodyOf = async <T>(call: Promise<Answered<T>>): Promise<T> => {
  const { data, error, response } = await call;
  if (!response.ok) throw ProblemError.of(error, response.status);
  return data as T;
};

export type Path = keyof paths;
type ReadPath = { [P in Path]: paths[P] extends { get: object } ? P : never }[Path];
type Read<P extends ReadPath> = paths[P]['get'];

/** The answer of a route to GET. */
export type AnswerOf<P extends ReadPath> =
  Read<P> extends { responses: { 200: { content: { 'application/json': infer Answer } } } } ? Answer : never;

type PageOf<P extends ReadPath> = Extract<AnswerOf<P>, { results?: readonly unknown[] }>;
type ListPath = { [P in ReadPath]: [PageOf<P>] extends [never] ? never : P }[ReadPath];
type RowOf<P extends ListPath> = PageOf<P> extends { results?: readonly (infer Row)[] } ? Row : never;

export type ParamsOf<P extends ReadPath> = Read<P>['parameters'];
type Params<P extends ReadPath> = Partial<ParamsOf<P>> extends ParamsOf<P> ? [ParamsOf<P>?] : [ParamsOf<P>];

const querySerializer = createQuerySerializer();

/** The address of a route, from `/api` on. */
export const addressOf = <P extends ReadPath>(path: P, ...[params = {}]: Params<P>): string =>
  createFinalURL(path, { baseUrl: '', params, querySerializer, pathSerializer: defaultPathSerializer });

/** Under this key the cache has what a route answered: a path is the beginning of the keys of all paths below it. */
export const keyOf = (path: Path, ...params: readonly unknown[]): QueryKey => [...path.split('/').slice(1), ...params];

/** Reads an address of the interface, which may be the `next` that the service wrote into an answer. */
const getJson = async <T>(address: string, signal?: AbortSignal): Promise<T> => {
  const { pathname, search } = new URL(address, window.location.origin);
  const response = await fetch(pathname + search, { credentials: 'same-origin', signal: signal ?? null });
  const body: unknown = await response.json().catch(() => null);
  if (!response.ok) throw ProblemError.of(body, response.status);
  return body as T;
};

/** Requests what a route answers, without keeping it. */
export const get = <P extends ReadPath>(path: P, params: ParamsOf<P>, signal?: AbortSignal): Promise<AnswerOf<P>> =>
  getJson(addressOf(path, ...([params] as Params<P>)), signal);

/** Wraps the answer of a route into a query. */
export const answer = <P extends ReadPath>(path: P, ...params: Params<P>) =>
  queryOptions<AnswerOf<P>>({
    queryKey: keyOf(path, ...params),
    queryFn: ({ signal }) => getJson(addressOf(path, ...params), signal),
  });

/** A list route, each of whose pages is requested when it is asked for. */
export type Pages<Row> = UseInfiniteQueryOptions<
  ListPage<Row>,
  Error,
  { readonly count: number; readonly rows: readonly Row[] },
  QueryKey,
  string
>;

export const pages = <P extends ListPath>(path: P, ...params: Params<P>): Pages<RowOf<P>> => ({
  queryKey: keyOf(path, 'pages', ...params),
  queryFn: ({ pageParam, signal }) => getJson(pageParam, signal),
  initialPageParam: addressOf(path, ...params),
  getNextPageParam: ({ next }) => next,
  select: ({ pages: read }) => ({ count: read[0]?.count ?? 0, rows: read.flatMap(({ results }) => results) }),
});

/** A list route whose pages are requested as their rows come into view. */
export interface List<Row> {
  readonly key: QueryKey;
  readonly address: string;
  readonly load: LoadPage<Row>;
}

export const list = <P extends ListPath>(path: P, ...params: Params<P>): List<RowOf<P>> => ({
  key: keyOf(path, 'list', ...params),
  address: addressOf(path, ...params),
  load: getJson,
});
