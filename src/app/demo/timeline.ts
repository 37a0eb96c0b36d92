interface Timed {
  readonly at: number;
  readonly index: number;
}

const isEarlier = (a: Timed, b: Timed): boolean => a.at < b.at || (a.at === b.at && a.index < b.index);

/** Selects the earliest of many items whose times change whenever they are first. */
export class EarliestFirst<T extends Timed> {
  private readonly heap: T[] = [];

  get first(): T | undefined {
    return this.heap[0];
  }

  add(item: T): void {
    this.heap.push(item);
    let at = this.heap.length - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.swapIfEarlier(at, parent)) break;
      at = parent;
    }
  }

  removeFirst(): void {
    const last = this.heap.pop();
    if (last === undefined || this.heap.length === 0) return;
    this.heap[0] = last;
    this.firstChanged();
  }

  /** Must be called after the time of the first item has changed. */
  firstChanged(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const rightIsFirst = right < this.heap.length && isEarlier(this.item(right), this.item(left));
      const child = rightIsFirst ? right : left;
      if (child >= this.heap.length || !this.swapIfEarlier(child, at)) return;
      at = child;
    }
  }

  private swapIfEarlier(lower: number, upper: number): boolean {
    const [low, high] = [this.item(lower), this.item(upper)];
    if (!isEarlier(low, high)) return false;
    this.heap[lower] = high;
    this.heap[upper] = low;
    return true;
  }

  private item(at: number): T {
    return this.heap[at] as T;
  }
}
