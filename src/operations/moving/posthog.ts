import { patiently } from '../../platform/http/patiently.js';

/** A record as the other product answers it. */
export type Found = Readonly<Record<string, unknown>>;

/** The move cannot go on; the message says why. */
export class MovingFault extends Error {}

interface Page {
  readonly records: readonly Found[];
  /** Where the next page begins; null after the last one. */
  readonly next: string | null;
}

const recordsInPage = 100;

/** Reads a project of PostHog through its own interface. */
export class PostHog {
  constructor(
    /** Its address, such as https://eu.posthog.com. */
    private readonly address: URL,
    readonly project: number,
    private readonly key: string,
  ) {}

  /** Names the project, so that what was done for it is found again. */
  get name(): string {
    return `${this.address.host}-${this.project}`;
  }

  async one(path: string): Promise<Found> {
    return this.ask(new URL(`/api/projects/${this.project}/${path}`, this.address));
  }

  /** The pages of a list, from the first one or from the one that `next` of a page names. */
  async *pages(list: string, after: string | null = null): AsyncGenerator<Page> {
    const [path = '', query] = list.split('?');
    const search = [query, `limit=${recordsInPage}`].filter(Boolean).join('&');
    let next: string | null = after ?? `/api/projects/${this.project}/${path}/?${search}`;
    while (next !== null) {
      const page: Found = await this.ask(atHost(next, this.address));
      if (!Array.isArray(page.results)) throw new MovingFault(`${next} answered without a list in results`);
      next = typeof page.next === 'string' ? page.next : null;
      yield { records: page.results as Found[], next };
    }
  }

  async list(list: string): Promise<readonly Found[]> {
    const all: Found[] = [];
    for await (const { records } of this.pages(list)) all.push(...records);
    return all;
  }

  private async ask(url: URL): Promise<Found> {
    const headers = { authorization: `Bearer ${this.key}`, accept: 'application/json' };
    const answer = await patiently(() => fetch(url, { headers, redirect: 'error' })).catch((error: unknown) => {
      throw new MovingFault(`${url.origin} does not answer: look at --url`, { cause: error });
    });
    if (answer.ok) return (await answer.json()) as Found;
    const { detail } = (await answer.json().catch(() => ({}))) as { detail?: string };
    throw new MovingFault(`${url.origin}${url.pathname} answered ${answer.status}${detail ? `: ${detail}` : ''}`);
  }
}

/** Behind a proxy, the links of a list may name a host that only the servers know; the key goes to the given one. */
const atHost = (link: string, address: URL): URL => {
  const { pathname, search } = new URL(link, address);
  const url = new URL(address);
  [url.pathname, url.search] = [pathname, search];
  return url;
};
