/** A page of a list, as every list route answers it. */
export interface ListPage<T> {
  readonly count: number;
  readonly next: string | null;
  readonly results: readonly T[];
}

export type LoadPage<T> = (address: string, signal: AbortSignal) => Promise<ListPage<T>>;

/** So many pages stay in memory; an older one is loaded again by its address when it comes into view. */
const maxPages = 24;

/** After a reload the list is walked again down to the row at the top of the screen, but not further than this. */
const rewalkedRows = 2000;

/**
 * A list of any length, read by its own `next` addresses, so that no record is skipped or repeated while others come and go.
 * Of the pages before and after the screen it remembers the address and where they start, not the rows: a list of a million
 * rows takes as much memory as one of five thousand. A page is followed only by the page that its own `next` names: when a
 * page that is loaded again ends elsewhere than before, what came after it is forgotten and read anew.
 */
export class EndlessList<T> {
  count = 0;
  error: unknown = null;
  version = 0;
  /** The first row on the screen, so that a person who comes back finds the list as it was. */
  top = 0;

  readonly #load: LoadPage<T>;
  readonly #addresses: string[];
  readonly #starts: number[] = [0];
  /** The least recently seen page is the first. */
  readonly #pages = new Map<number, readonly T[]>();
  readonly #loading = new Map<number, AbortController>();
  readonly #listeners = new Set<() => void>();
  #isComplete = false;
  #end = 0;
  #pageSize = 1;
  #seen: readonly [number, number] = [0, 0];

  private constructor(address: string, load: LoadPage<T>) {
    this.#addresses = [address];
    this.#load = load;
  }

  static async open<T>(address: string, load: LoadPage<T>, signal: AbortSignal, top = 0): Promise<EndlessList<T>> {
    const list = new EndlessList<T>(address, load);
    const until = top <= rewalkedRows ? top : 0;
    list.top = until;
    for (let page = 0; page === 0 || (list.#end <= until && !list.#isComplete); page++) {
      const address = list.#addresses[page];
      if (address === undefined) break;
      list.#keep(page, await load(address, signal));
    }
    return list;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** How many rows can be scrolled to: those that were reached, and one page more while there is one. */
  get length(): number {
    if (this.#isComplete) return this.#end;
    return Math.max(this.#end + 1, Math.min(this.count, this.#end + this.#pageSize));
  }

  get storedRows(): number {
    let rows = 0;
    for (const page of this.#pages.values()) rows += page.length;
    return rows;
  }

  /** The row, or undefined while its page is not in memory. */
  at(index: number): T | undefined {
    const page = this.#pageAt(index);
    return this.#pages.get(page)?.[index - (this.#starts[page] ?? 0)];
  }

  /** Loads what the screen shows and is about to show; requests for pages that are no longer in view are cancelled. */
  show(first: number, last: number): void {
    const [from, to] = [this.#pageAt(first), this.#pageAt(last + this.#pageSize / 2)];
    this.#seen = [from, to];
    for (const [page, request] of this.#loading)
      if (page < from || page > to) {
        request.abort();
        this.#loading.delete(page);
      }
    for (let page = from; page <= to; page++) {
      const rows = this.#pages.get(page);
      if (rows) {
        this.#pages.delete(page);
        this.#pages.set(page, rows);
      } else if (!this.#loading.has(page) && this.error === null) void this.#fetch(page);
    }
  }

  /** After an error: the next `show` asks again. */
  retry(): void {
    this.error = null;
    this.#changed();
  }

  /** Ends the requests under way; a later `show` starts them again. */
  rest(): void {
    for (const request of this.#loading.values()) request.abort();
    this.#loading.clear();
  }

  async #fetch(page: number): Promise<void> {
    const address = this.#addresses[page];
    if (address === undefined) return;
    const request = new AbortController();
    this.#loading.set(page, request);
    try {
      const answer = await this.#load(address, request.signal);
      // The page may have been forgotten, or its request cancelled, while the answer was on its way.
      if (this.#loading.get(page) !== request || this.#addresses[page] !== address) return;
      this.#keep(page, answer);
    } catch (error) {
      if (!request.signal.aborted) this.error = error;
    } finally {
      if (this.#loading.get(page) === request) this.#loading.delete(page);
    }
    if (!request.signal.aborted) this.#changed();
  }

  #keep(page: number, { count, next, results }: ListPage<T>): void {
    const start = this.#starts[page] ?? 0;
    const end = start + results.length;
    this.count = count;
    this.#pageSize = Math.max(this.#pageSize, results.length);
    this.#pages.set(page, results);
    if (next === null) {
      this.#forgetAfter(page);
      [this.#isComplete, this.#end] = [true, end];
    } else if (this.#addresses[page + 1] !== next || this.#starts[page + 1] !== end) {
      this.#forgetAfter(page);
      this.#addresses.push(next);
      this.#starts.push(end);
      [this.#isComplete, this.#end] = [false, end];
    }
    const [from, to] = this.#seen;
    for (const old of this.#pages.keys()) {
      if (this.#pages.size <= maxPages) break;
      if (old !== page && (old < from || old > to)) this.#pages.delete(old);
    }
  }

  #forgetAfter(page: number): void {
    this.#addresses.length = page + 1;
    this.#starts.length = page + 1;
    for (const old of [...this.#pages.keys()]) if (old > page) this.#pages.delete(old);
    for (const [old, request] of [...this.#loading])
      if (old > page) {
        request.abort();
        this.#loading.delete(old);
      }
  }

  /** The page that holds a row; the last known page for rows beyond it. */
  #pageAt(index: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= index) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  #changed(): void {
    this.version++;
    for (const listener of this.#listeners) listener();
  }
}
