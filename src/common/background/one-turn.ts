import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Combines the requests of one turn of the event loop into one statement, which begins after the last of them arrived.
 */
export class OneTurn<Group, Wanted, Found> {
  private readonly gathering = new Map<Group, { readonly wanted: Set<Wanted>; readonly found: Promise<Found> }>();

  constructor(private readonly ask: (group: Group, wanted: readonly Wanted[]) => Promise<Found>) {}

  find(group: Group, wanted: Wanted): Promise<Found> {
    const gathered = this.gathering.get(group) ?? this.gather(group);
    gathered.wanted.add(wanted);
    return gathered.found;
  }

  private gather(group: Group) {
    const wanted = new Set<Wanted>();
    const found = nextTurn().then(() => {
      this.gathering.delete(group);
      return this.ask(group, [...wanted]);
    });
    const gathered = { wanted, found };
    this.gathering.set(group, gathered);
    return gathered;
  }
}
