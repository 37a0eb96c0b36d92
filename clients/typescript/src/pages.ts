/** A page of a list. Pages of insights have neither count nor records when only the insight is included. */
export interface Page<T> {
  readonly next?: string | null;
  readonly results?: readonly T[];
}

/** The place at which a page begins. */
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
