import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Combines the requests of one turn of the event loop into one statement, which begins after the last of them arrived.
 */
export class OneTurn<Group, Key, Result> {
  private readonly gathering = new Map<Group, { readonly keys: Set<Key>; readonly result: Promise<Result> }>();

  constructor(private readonly ask: (group: Group, keys: readonly Key[]) => Promise<Result>) {}

  find(group: Group, key: Key): Promise<Result> {
    const gathered = this.gathering.get(group) ?? this.gather(group);
    gathered.keys.add(key);
    return gathered.result;
  }

  private gather(group: Group) {
    const keys = new Set<Key>();
    const result = nextTurn().then(() => {
      this.gathering.delete(group);
      return this.ask(group, [...keys]);
    });
    const gathered = { keys, result };
    this.gathering.set(group, gathered);
    return gathered;
  }
}
