import { type NaivePerson, NaiveWorld } from '../identity-naive.js';
import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';

/** What happened, in the order in which it did. Persons are named by their first ids, those of splits by the split. */
export type Happening =
  | { readonly kind: 'event'; readonly event: IdentityEvent }
  | {
      readonly kind: 'merge';
      readonly name: string;
      readonly event: IdentityEvent;
      readonly byHand: boolean;
      readonly survivor: string;
      readonly merged: string;
    }
  | { readonly kind: 'split'; readonly root: string; readonly parts: ReadonlyMap<string, string>; readonly at: Date };

/** What is left out: merges by name, and the persons that splits made. */
export interface Undone {
  readonly merges: ReadonlySet<string>;
  readonly parts: ReadonlySet<string>;
}

export const nameOf = (person: NaivePerson | undefined): string => person?.stored ?? '';

/** Persons after everything that happened but for what was undone: merges and splits are lived through, not taken apart. */
export class UndoWorld {
  private readonly world = new NaiveWorld();
  private readonly into = new Map<string, string>();
  /** True if an id was split off from a person that it did not belong to. */
  hasStrayed = false;

  constructor(
    happenings: readonly Happening[],
    private readonly undone: Undone,
  ) {
    for (const happening of happenings) this.happen(happening);
  }

  happen(happening: Happening): void {
    if (happening.kind === 'split') this.split(happening);
    else if (happening.kind === 'merge') this.merge(happening);
    else this.receive(happening.event);
  }

  get persons(): readonly NaivePerson[] {
    return this.world.persons;
  }

  /** The person of the name, or the one that it is part of. */
  person(name: string): NaivePerson | undefined {
    const into = this.into.get(name);
    return into === undefined ? this.persons.find(({ stored }) => stored === name) : this.person(into);
  }

  ownerOf(distinctId: string): NaivePerson | undefined {
    return this.world.find(distinctId);
  }

  private receive(event: IdentityEvent): void {
    this.world.receive([event]);
    for (const person of this.persons) person.stored ??= person.ids[0] ?? null;
  }

  private merge({ name, event, byHand, survivor, merged }: Happening & { kind: 'merge' }): void {
    const [into, from] = [byHand ? this.person(survivor) : this.ownerOf(event.distinctId), this.person(merged)];
    if (this.undone.merges.has(name) || !into || !from || into === from) {
      if (!byHand) this.receive({ ...event, merge: null });
      return;
    }
    this.into.set(nameOf(from), nameOf(into));
    this.world.merge(event, into, from);
    into.isIdentified = true;
    if (!byHand) this.receive({ ...event, merge: null });
  }

  private split({ root, parts, at }: Happening & { kind: 'split' }): void {
    for (const [distinctId, name] of parts) {
      if (this.undone.parts.has(name)) {
        this.into.set(name, root);
        continue;
      }
      const owner = this.ownerOf(distinctId);
      if (owner !== this.person(root)) this.hasStrayed = true;
      if (owner) owner.ids = owner.ids.filter((id) => id !== distinctId);
      const person = { properties: {}, isIdentified: false, createdAt: at.getTime(), stored: name };
      this.world.persons.push({ ids: [distinctId], ...person });
    }
  }
}
