/** An answer older than this is not used. */
export const longestAgeMs = 1000;
/** From this age on, a use starts a new look-up and does not wait for it. */
const refreshAfterMs = 500;

interface Known<Value> {
  readonly value: Value;
  /** `performance.now()` right before the look-up. */
  readonly lookedUpAt: number;
  isUsed: boolean;
}

/**
 * Remembers what was looked up for a second, for what thousands of requests in a second need. While they arrive, one look-up every
 * half second is for all keys that were used since the previous one. A key that is not found is not remembered.
 */
export class BriefMemory<Key, Value> {
  private readonly known = new Map<Key, Known<Value>>();
  private refreshing: Promise<void> | null = null;

  constructor(private readonly lookUpAll: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>) {}

  /** `beforeLookup` may throw; it is called only for a key that is not remembered. */
  async find(key: Key, beforeLookup: () => void = () => undefined): Promise<Value | null> {
    const calledAt = performance.now();
    for (let known = this.known.get(key); known !== undefined; known = this.known.get(key)) {
      known.isUsed = true;
      const age = calledAt - known.lookedUpAt;
      if (age < refreshAfterMs) return known.value;
      const refreshed = this.refresh();
      if (age < longestAgeMs) {
        // A failure is ignored here, because this caller already has its answer.
        refreshed.catch(() => undefined);
        return known.value;
      }
      await refreshed;
    }
    beforeLookup();
    await this.lookUp([key]);
    return this.known.get(key)?.value ?? null;
  }

  private refresh(): Promise<void> {
    return (this.refreshing ??= this.lookUpUsed().finally(() => {
      this.refreshing = null;
    }));
  }

  private async lookUpUsed(): Promise<void> {
    const keys: Key[] = [];
    for (const [key, known] of this.known) {
      if (!known.isUsed) continue;
      known.isUsed = false;
      keys.push(key);
    }
    await this.lookUp(keys);
  }

  private async lookUp(keys: readonly Key[]): Promise<void> {
    const lookedUpAt = performance.now();
    const found = await this.lookUpAll(keys);
    for (const key of keys) {
      const value = found.get(key);
      if (value === undefined) this.known.delete(key);
      else this.known.set(key, { value, lookedUpAt, isUsed: this.known.get(key)?.isUsed ?? false });
    }
  }
}
