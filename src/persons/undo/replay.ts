import { conflict } from '../../platform/errors/problem.js';
import { type IdentityEvent, type Properties } from '../../kernel/identity/identity-event.js';
import { PersonGroup, type StoredPerson, type WorkingPerson } from '../../kernel/identity/person-group.js';
import { type MergeRecord } from '../../kernel/identity/merges.repository.js';
import { type SplitRecord } from '../../kernel/identity/splits.repository.js';

/** An event of the log, with the changes that it makes to its person. */
export interface LoggedChange extends Pick<
  IdentityEvent,
  'uuid' | 'distinctId' | 'timestamp' | 'person' | 'identifies'
> {
  readonly receivedAt: Date;
  readonly otherDistinctId: string | null;
}

/** Names the record that has the state of a person before a merge or a split. */
export type StateSource = { readonly merge: string; readonly side: 'survivor' | 'merged' } | { readonly split: string };

export interface RecordedState {
  readonly properties: Properties;
  readonly is_identified: boolean;
  readonly created_at: Date;
}

export interface OwnedId {
  readonly distinct_id: string;
  readonly person_id: string;
  readonly position: string;
}

/** The history that an undo reads: the records, the log, and the owners of distinct ids. */
export interface RecordedHistory {
  /** Returns the records of all merges of the person and of the persons that became part of it, in the order of the merges. */
  merges(person: string): Promise<MergeRecord[]>;
  /** Returns the splits of the persons and their parts, and the splits of other persons that made them, in the order of time. */
  splits(persons: readonly string[]): Promise<SplitRecord[]>;
  /** Returns the distinct ids that the persons have, and the ids in `others`, with their positions. */
  ids(persons: readonly string[], others: readonly string[]): Promise<OwnedId[]>;
  state(source: StateSource): Promise<RecordedState>;
  /** Passes the events of the distinct ids to `take`, in the order in which they were received. */
  events(distinctIds: readonly string[], since: Date, take: (event: LoggedChange) => void): Promise<void>;
}

export type Change = MergeRecord | SplitRecord;

export const isMerge = (change: Change): change is MergeRecord => 'merged' in change;
const momentOf = (change: Change): number => (isMerge(change) ? change.merged_at : change.split_at).getTime();
const personsOf = (change: Change): string[] =>
  isMerge(change) ? [change.survivor, change.merged] : [change.person_id];

/** The state of a person before its first recorded change. The log is replayed from there. */
interface Base extends StoredPerson {
  readonly since: number;
  /** Distinct ids with a larger position were added later. */
  readonly lastPosition: string;
}

interface HistoricId {
  /** The person that has the id now. */
  readonly owner: string;
  /** The person that had the id first, according to the records. */
  readonly home: string;
  /** True for an id that was added after the base of its home. Its first event then decides whose id it is. */
  readonly isNew: boolean;
}

/** The merges and splits of some persons since a moment, and everything that a replay starts from. */
export interface History {
  /** All changes, including the undone ones, in the order in which they happened. */
  readonly recorded: readonly Change[];
  /** The changes without those that were undone. */
  readonly inEffect: readonly Change[];
  readonly bases: ReadonlyMap<string, Base>;
  readonly ids: ReadonlyMap<string, HistoricId>;
}

/**
 * Reads the history of a person, and of the persons that were split off from it, since one of its changes, whose moment is given.
 */
export const readHistory = async (
  stored: RecordedHistory,
  moment: Date,
  root: string,
  others: readonly string[] = [],
): Promise<History> => {
  const all = inOrder(await stored.merges(root), await stored.splits([root, ...others]));
  const recorded = all.slice(startOfHistory(all, moment.getTime()));
  const inEffect = recorded.flatMap(withoutUndone);
  const bases = new Map<string, Base>();
  for (const person of new Set([root, ...inEffect.filter(isMerge).flatMap(personsOf)])) {
    const first = recorded.find((change) => personsOf(change).includes(person));
    if (first) bases.set(person, await readBase(stored, first, person));
  }
  // Undone changes are left out, because a later undo may have given their ids to another person.
  const homes = new Map<string, string>();
  for (const change of inEffect) {
    const home = isMerge(change) ? change.merged : change.person_id;
    if (bases.has(home)) for (const id of changedIds(change)) if (!homes.has(id)) homes.set(id, home);
  }
  const splitOff = inEffect.flatMap((change) => (isMerge(change) ? [] : changedIds(change)));
  const ids = new Map<string, HistoricId>();
  for (const { distinct_id: id, person_id: owner, position } of await stored.ids([root, ...others], splitOff)) {
    const home = homes.get(id) ?? root;
    ids.set(id, { owner, home, isNew: BigInt(position) > BigInt(bases.get(home)?.lastPosition ?? position) });
  }
  return { recorded, inEffect, bases, ids };
};

/**
 * Puts the splits between the merges. The ids of merges follow the order of commits, while their times are those of arrival,
 * which may differ for requests that waited for each other.
 */
const inOrder = (merges: readonly MergeRecord[], splits: readonly SplitRecord[]): Change[] => {
  const [changes, later]: [Change[], SplitRecord[]] = [[], [...splits]];
  for (const merge of merges) {
    const next = later.findIndex(({ split_at }) => split_at >= merge.merged_at);
    changes.push(...later.splice(0, next < 0 ? later.length : next), merge);
  }
  return [...changes, ...later];
};

/**
 * Returns the index of the first record of a moment: all records of one commit have the states before it. If a change was in
 * effect then that is undone now, the records made under it are of no use, so the history starts with that change.
 */
const startOfHistory = (changes: readonly Change[], moment: number): number => {
  const first = changes.findIndex((change) => momentOf(change) === moment);
  if (first < 0) throw new Error('The change is no longer recorded');
  const undone = changes.slice(0, first).find(({ undone_at }) => undone_at !== null && undone_at.getTime() > moment);
  return undone ? startOfHistory(changes, momentOf(undone)) : first;
};

const withoutUndone = (change: Change): Change[] => {
  if (isMerge(change)) return change.undone_at === null ? [change] : [];
  return [{ ...change, ids: change.ids.filter(({ is_undone }) => !is_undone) }];
};

export const changedIds = (change: Change): readonly string[] =>
  isMerge(change) ? change.distinct_ids : change.ids.map(({ distinct_id }) => distinct_id);

const readBase = async (stored: RecordedHistory, change: Change, person: string): Promise<Base> => {
  if (change.is_forgotten) {
    throw conflict('this cannot be undone: a person whose properties its record contained was deleted since');
  }
  const { id, last_position: lastPosition } = change;
  const { properties, is_identified, created_at } = await stored.state(
    isMerge(change) ? { merge: id, side: change.merged === person ? 'merged' : 'survivor' } : { split: id },
  );
  const since = momentOf(change);
  return { id: person, properties, isIdentified: is_identified, createdAt: created_at, since, lastPosition };
};

/** The part to leave out: a merge, or the persons that a split made. */
export interface LeftOut {
  readonly merge?: string;
  readonly persons?: ReadonlySet<string>;
}

/** Replays a history twice: as it happened, and without the part to leave out. */
export const replay = async (
  stored: RecordedHistory,
  history: History,
  leftOut: LeftOut,
): Promise<{ readonly asItWas: Replay; readonly without: Replay }> => {
  const [asItWas, without] = [new Replay(history, {}), new Replay(history, leftOut)];
  const since = Math.min(...[...history.bases.values()].map((base) => base.since));
  await stored.events([...history.ids.keys()], new Date(since), (event) => {
    asItWas.take(event);
    without.take(event);
  });
  asItWas.catchUp(Infinity);
  without.catchUp(Infinity);
  return { asItWas, without };
};

/**
 * The persons of a history while it is replayed. Events change them as captured events do, but no merge is decided again: each
 * recorded change is repeated, except the one to leave out.
 */
export class Replay {
  private readonly group: PersonGroup;
  private readonly pending: Set<Change>;
  private readonly byEvent = new Map<string, MergeRecord>();
  /** The persons that survived the merges, by the id of the merge. */
  readonly survivors = new Map<string, string>();
  /**
   * True once a split took an id that belongs to another person in this replay than in its record: without the part to leave out,
   * the id would still be that person's.
   */
  hasStrayed = false;

  constructor(
    private readonly history: History,
    private readonly leftOut: LeftOut,
  ) {
    const known = [...history.ids].filter(([, { isNew }]) => !isNew);
    this.group = new PersonGroup({
      persons: history.bases,
      owners: new Map(known.map(([distinctId, { home }]) => [distinctId, home])),
    });
    this.pending = new Set(history.inEffect);
    for (const merge of history.inEffect.filter(isMerge))
      if (merge.event_uuid !== null) this.byEvent.set(merge.event_uuid, merge);
  }

  take(event: LoggedChange): void {
    if (!event.person.process) return;
    const receivedAt = event.receivedAt.getTime();
    this.catchUp(receivedAt);
    const merge = this.byEvent.get(event.uuid);
    const person = merge ? this.mergedBy(event, merge) : this.personOfEvent(event);
    // The state from which the person is replayed already contains events that were received earlier.
    if (receivedAt >= (this.history.bases.get(idOf(person))?.since ?? 0)) person.apply(event);
  }

  /** Repeats the changes up to a moment. A merge of exactly that moment is left for its event, if it has one. */
  catchUp(moment: number): void {
    for (const change of this.pending) {
      const at = momentOf(change);
      if (at > moment) break;
      if (at === moment && isMerge(change) && change.event_uuid !== null) continue;
      if (isMerge(change)) this.merge(change, null);
      else this.split(change);
    }
  }

  /** Returns the person, or the person that it has become part of. */
  personOf(id: string): WorkingPerson {
    const person = this.group.person(id);
    if (!person) throw new Error(`There is no state of person ${id} to replay from`);
    return person;
  }

  ownerOf(distinctId: string): WorkingPerson {
    const owner = this.group.ownerOf(distinctId);
    if (owner) return owner;
    const home = this.history.ids.get(distinctId)?.home;
    if (home === undefined) throw new Error('The distinct id belongs to none of the replayed persons');
    this.group.give(distinctId, this.personOf(home));
    return this.personOf(home);
  }

  private mergedBy({ distinctId, otherDistinctId: other }: LoggedChange, merge: MergeRecord): WorkingPerson {
    const named = this.ownerOf(distinctId);
    // A merge needs two persons, so the other id had a person too.
    if (other !== null && this.history.ids.has(other)) this.ownerOf(other);
    this.merge(merge, named);
    return named.final;
  }

  /** Returns the person of an event. When the event names two ids and not both have a person yet, both get the same person. */
  private personOfEvent({ distinctId, otherDistinctId: other }: LoggedChange): WorkingPerson {
    if (other === null || !this.history.ids.has(other)) return this.ownerOf(distinctId);
    const [own, others] = [this.group.ownerOf(distinctId), this.group.ownerOf(other)];
    if (own && others) return own;
    const person = own ?? others ?? this.ownerOf(distinctId);
    this.group.give(distinctId, person);
    this.group.give(other, person);
    person.isIdentified = true;
    return person;
  }

  private merge(merge: MergeRecord, named: WorkingPerson | null): void {
    if (!this.pending.delete(merge)) return;
    const { id, merged, survivor, distinct_ids, reason } = merge;
    const [{ bases, ids }, other] = [this.history, this.personOf(merged)];
    // An id whose owner is outside of this history was split off earlier. It comes back now, because its owner became part of the
    // merged person.
    for (const distinctId of distinct_ids)
      if (ids.has(distinctId) && !bases.has(idOf(this.ownerOf(distinctId)))) this.group.give(distinctId, other);
    if (id === this.leftOut.merge) return;
    const own = named !== null && named !== other ? named : this.personOf(survivor);
    if (own === other) return;
    this.survivors.set(id, idOf(own));
    own.mergeFrom(other);
    if (reason !== 'import') own.isIdentified = true;
  }

  private split(split: SplitRecord): void {
    this.pending.delete(split);
    for (const { distinct_id: distinctId, person_id: to } of split.ids) {
      if (this.leftOut.persons?.has(to) || !this.history.ids.has(distinctId)) continue;
      const from = this.history.bases.has(split.person_id) ? this.personOf(split.person_id) : null;
      if (from !== null && this.ownerOf(distinctId) !== from) this.hasStrayed = true;
      const nothing = { properties: {}, isIdentified: false, createdAt: split.split_at };
      this.group.give(distinctId, this.group.person(to) ?? this.group.add(to, nothing));
    }
  }
}

const idOf = ({ ref }: WorkingPerson): string => ('stored' in ref ? ref.stored : ref.madeFor);
