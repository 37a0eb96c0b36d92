import { personUuid } from '../../../src/kernel/identity/person-ref.js';
import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';
import { type PersonDto } from '../../../src/persons/person.dto.js';
import { type NaivePerson, NaiveWorld } from '../identity-naive.js';

/** A person that was merged, and where it went. */
interface Redirect {
  readonly source: string;
  /** Null once a later person with the same uuid was deleted. */
  readonly uuid: string | null;
  readonly into: NaivePerson;
}

const mergeOf = (distinctId: string, otherDistinctId: string): IdentityEvent => ({
  ...{ uuid: '', event: '$merge_dangerously', distinctId, timestamp: new Date(), identifies: false },
  person: { process: true, set: {}, setOnce: {}, unset: [] },
  merge: { kind: 'merge_dangerously', otherDistinctId },
});

/** A project's persons as they ought to be, kept on a plain list. Integer ids are learned when they are first seen. */
export class PersonsModel {
  private readonly world = new NaiveWorld();
  /** Distinct id → when it came to the project; deletion frees it, and then it comes anew. */
  private readonly places = new Map<string, number>();
  /** Null: any that no person has. */
  private readonly uuids = new Map<NaivePerson, string | null>();
  private readonly everSeen = new Set<string>();
  private readonly events = new Map<string, number>();
  private redirects: Redirect[] = [];
  private arrivals = 0;

  constructor(readonly projectId: number) {}

  /** Newest first. */
  get persons(): readonly NaivePerson[] {
    return [...this.world.persons].sort(
      (a, b) => b.createdAt - a.createdAt || Number(b.stored ?? 0) - Number(a.stored ?? 0),
    );
  }

  /** Integer ids that persons had earlier. */
  get gone(): string[] {
    const alive = new Set(this.world.persons.map(({ stored }) => stored));
    return [...this.everSeen].filter((id) => !alive.has(id));
  }

  /** Where an integer id or a uuid leads whose person was merged; undefined for any other. */
  mergedInto(ref: string): NaivePerson | undefined {
    if (this.world.persons.some((person) => this.uuids.get(person) === ref)) return undefined;
    const [last] = this.redirects
      .filter(({ source, uuid }) => source === ref || uuid === ref)
      .sort((a, b) => Number(b.source) - Number(a.source));
    return last?.into;
  }

  /** Ids and uuids of persons that were merged. */
  get mergedRefs(): string[] {
    const refs = this.redirects.flatMap(({ source, uuid }) => [source, ...(uuid === null ? [] : [uuid])]);
    return refs.filter((ref) => this.mergedInto(ref) !== undefined);
  }

  /** Distinct ids without a person that events were sent for. */
  get free(): string[] {
    return [...this.events.keys()].filter((id) => !this.places.has(id));
  }

  owner(distinctId: string): NaivePerson | undefined {
    return this.world.find(distinctId);
  }

  /** In the order they came. */
  idsOf({ ids }: NaivePerson): string[] {
    return [...ids].sort((a, b) => (this.places.get(a) ?? 0) - (this.places.get(b) ?? 0));
  }

  eventsOf({ ids }: NaivePerson): number {
    return ids.reduce((sum, id) => sum + (this.events.get(id) ?? 0), 0);
  }

  /** Events of one request. */
  receive(events: readonly IdentityEvent[]): void {
    for (const { distinctId } of events) this.countEvent(distinctId);
    this.change(() => {
      this.world.receive(events);
      for (const { distinctId, merge, person } of events) {
        if (!person.process) continue;
        for (const id of merge ? [distinctId, merge.otherDistinctId] : [distinctId]) this.arrive(id);
      }
    });
  }

  /** By hand, which is an event of the person's first id. */
  edit(person: NaivePerson, properties: Record<string, unknown>, isEvent = true): void {
    person.properties = properties;
    if (isEvent) this.countEvent(this.idsOf(person)[0] ?? '');
  }

  /** By hand, which is no event. Returns the persons that are merged. */
  merge(person: NaivePerson, others: readonly string[]): PersonDto[] {
    const [distinctId = ''] = this.idsOf(person);
    const gone = new Set(others.map((id) => this.owner(id)).filter((owner) => owner && owner !== person));
    const shapes = [...gone].flatMap((owner) => (owner ? [this.shape(owner)] : []));
    this.change(() => {
      for (const otherDistinctId of others) {
        if (otherDistinctId === distinctId) continue;
        this.world.receive([mergeOf(distinctId, otherDistinctId)]);
        this.arrive(otherDistinctId);
      }
    });
    return shapes.sort((a, b) => a.id - b.id);
  }

  split(person: NaivePerson, leaving: readonly string[], now: Date): void {
    this.change(() => {
      person.ids = person.ids.filter((id) => !leaving.includes(id));
      for (const id of leaving) {
        const made = { ids: [id], properties: {}, isIdentified: false, createdAt: now.getTime(), stored: null };
        this.world.persons.push(made);
      }
    });
  }

  remove(person: NaivePerson): void {
    this.world.persons = this.world.persons.filter((other) => other !== person);
    const forgotten = this.redirects.filter(({ into }) => into === person).map(({ uuid }) => uuid);
    const uuids = new Set([...forgotten, this.uuids.get(person)]);
    this.redirects = this.redirects
      .filter(({ into }) => into !== person)
      .map((redirect) => (uuids.has(redirect.uuid) ? { ...redirect, uuid: null } : redirect));
    this.uuids.delete(person);
    for (const id of person.ids) this.places.delete(id);
  }

  /** New persons keep what is shown of them from now on; an id of an earlier person is never used again. */
  learn(shown: readonly PersonDto[]): void {
    for (const person of this.world.persons) {
      if (person.stored !== null) continue;
      const [first = ''] = person.ids;
      const found = shown.find(({ distinct_ids }) => distinct_ids.includes(first));
      if (!found) throw new Error(`${JSON.stringify(first)} has no person`);
      if (this.everSeen.has(String(found.id))) throw new Error(`${found.id} is used again`);
      this.everSeen.add(String(found.id));
      person.stored = String(found.id);
      if (this.uuids.get(person) === null) this.uuids.set(person, found.uuid);
    }
  }

  shape(person: NaivePerson): PersonDto {
    const ids = this.idsOf(person);
    const isGenerated = (id: string) => /^[a-z0-9]+(-[a-z0-9]+){4}$/.test(id);
    const shown = [...ids.filter((id) => !isGenerated(id)), ...ids.filter(isGenerated)];
    const named = ['email', 'name', 'username']
      .map((key) => nameIn(person.properties, key))
      .find((name) => name !== '');
    return {
      id: Number(person.stored),
      name: named ?? shown[0] ?? '',
      distinct_ids: shown,
      distinct_id_count: ids.length,
      properties: person.properties,
      created_at: new Date(person.createdAt).toISOString(),
      uuid: this.uuids.get(person) ?? '',
      is_identified: person.isIdentified,
    };
  }

  /** A new person has the uuid of the id it is made for, unless a person had that uuid when it was made. */
  private change(work: () => void): void {
    const held = new Set(this.uuids.values());
    const before = this.world.persons.map((person) => ({ person, uuid: this.uuids.get(person) ?? null }));
    work();
    for (const { person, uuid } of before) {
      if (this.world.persons.includes(person)) continue;
      const into = this.world.find(person.ids[0] ?? '');
      if (!into) throw new Error(`${person.stored} was merged into no person`);
      this.redirects.push({ source: person.stored ?? '', uuid, into });
    }
    this.redirects = this.redirects.map((redirect) => {
      const into = this.world.find(redirect.into.ids[0] ?? '');
      return this.world.persons.includes(redirect.into) || !into ? redirect : { ...redirect, into };
    });
    for (const person of this.uuids.keys()) if (!this.world.persons.includes(person)) this.uuids.delete(person);
    for (const person of this.world.persons) {
      if (this.uuids.has(person)) continue;
      const uuid = personUuid(this.projectId, person.ids[0] ?? '');
      this.uuids.set(person, held.has(uuid) ? null : uuid);
    }
  }

  private arrive(id: string): void {
    if (!this.places.has(id)) this.places.set(id, (this.arrivals += 1));
  }

  private countEvent(id: string): void {
    this.events.set(id, (this.events.get(id) ?? 0) + 1);
  }
}

const nameIn = (properties: Record<string, unknown>, key: string): string => {
  const value = Object.hasOwn(properties, key) ? (properties[key] ?? '') : '';
  return (typeof value === 'string' ? value : JSON.stringify(value)).trim();
};
