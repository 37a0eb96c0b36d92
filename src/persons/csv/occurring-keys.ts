/** A spreadsheet has 16,384 columns, and few people look at more than a screen of them. */
export const maxPropertyColumns = 1_000;
const maxCounted = 50_000;

const byCount = ([a, many]: readonly [string, number], [b, more]: readonly [string, number]): number =>
  more - many || (a < b ? -1 : 1);

/**
 * Counts how many persons have each property. To bound memory, rare keys are dropped when there are very many, so the frequent
 * keys get the columns. If the alphabet decided instead, one writer of many properties could displace the columns of all others.
 */
export class OccurringKeys {
  private readonly counts = new Map<string, number>();
  private hasDropped = false;

  static of(persons: Iterable<{ readonly properties: object }>): OccurringKeys {
    const keys = new OccurringKeys();
    for (const { properties } of persons) keys.addAll(properties);
    return keys;
  }

  addAll(properties: object): void {
    for (const key of Object.keys(properties)) this.add(key, 1);
  }

  add(key: string, persons: number): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + persons);
    if (this.counts.size > maxCounted) this.drop();
  }

  /** Records that some key was not counted. */
  markIncomplete(): void {
    this.hasDropped = true;
  }

  /** The columns in alphabetical order. */
  get columns(): readonly string[] {
    const frequent = [...this.counts].sort(byCount).slice(0, maxPropertyColumns);
    return frequent.map(([key]) => key).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  }

  /** True if some keys have no column. */
  get hasMore(): boolean {
    return this.hasDropped || this.counts.size > maxPropertyColumns;
  }

  private drop(): void {
    this.hasDropped = true;
    const rare = [...this.counts].sort(byCount).slice(maxCounted / 2);
    for (const [key] of rare) this.counts.delete(key);
  }
}
