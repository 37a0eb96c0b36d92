import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/**
 * Loads keys in batches: all keys of a group that arrive within one tick of the event loop are loaded by one statement, after the
 * last of them.
 */
export class TickBatcher<Group, Key, Result> {
  private readonly gathering = new Map<Group, { readonly keys: Set<Key>; readonly result: Promise<Result> }>();

  constructor(private readonly loadAll: (group: Group, keys: readonly Key[]) => Promise<Result>) {}

  load(group: Group, key: Key): Promise<Result> {
    const gathered = this.gathering.get(group) ?? this.gather(group);
    gathered.keys.add(key);
    return gathered.result;
  }

  private gather(group: Group) {
    const keys = new Set<Key>();
    const result = yieldToEventLoop().then(() => {
      this.gathering.delete(group);
      return this.loadAll(group, [...keys]);
    });
    const gathered = { keys, result };
    this.gathering.set(group, gathered);
    return gathered;
  }
}
