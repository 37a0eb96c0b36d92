import type { paths } from './schema.js';

/** A page of a list. Pages of insights have neither count nor records when only the insight is included. */
export interface Page<T> {
  readonly next?: string | null;
  readonly results?: readonly T[];
}

/** The position at which a page begins. */
export interface Place {
  readonly limit?: number;
  readonly offset?: number;
  readonly cursor?: string;
}

const numberOf = (text: string | null): number | undefined => (text === null ? undefined : Number(text));

/** The parameters of the next page. Its address may name another host, where the service is behind a proxy. */
const placeOf = (next: string): Place => {
  const { searchParams } = new URL(next);
  const place = { limit: numberOf(searchParams.get('limit')), offset: numberOf(searchParams.get('offset')) };
  const cursor = searchParams.get('cursor');
  return cursor === null ? place : { ...place, cursor };
};

/** All records, page by page, as they are needed. */
export async function* walk<T>(pageAt: (place: Place) => Promise<Page<T>>): AsyncGenerator<T, void, undefined> {
  for (let place: Place | null = {}; place !== null;) {
    const page: Page<T> = await pageAt(place);
    yield* page.results ?? [];
    place = page.next ? placeOf(page.next) : null;
  }
}

interface Listing {
  get: {
    parameters: { query?: object; path?: object };
    responses: { 200: { content: { 'application/json': { next: string | null; results: unknown[] } } } };
  };
}

/** The paths whose GET answers a list in pages. */
export type ListPath = { [Path in keyof paths]: paths[Path] extends Listing ? Path : never }[keyof paths];

type Get<Path extends ListPath> = paths[Path]['get'];

/** A record of the list at a path. */
export type Listed<Path extends ListPath> =
  Get<Path> extends Listing['get']
    ? Get<Path>['responses'][200]['content']['application/json']['results'][number]
    : never;

type QueryOf<Path extends ListPath> = NonNullable<Get<Path>['parameters']['query']>;
type PathOf<Path extends ListPath> = Omit<NonNullable<Get<Path>['parameters']['path']>, 'project_id'>;

/** What selects the records of a list: the query, and what the path names beside the project. */
export type ListOptions<Path extends ListPath> = { readonly query?: QueryOf<Path> } & ([keyof PathOf<Path>] extends [
  never,
]
  ? { readonly path?: undefined }
  : { readonly path: PathOf<Path> });
