import { expect } from '@jest/globals';
import { type IdentityEvent } from '../../../src/kernel/identity/identity-event.js';
import { type PersonState } from '../../../src/kernel/identity/person-group.js';
import { type MergeRecord } from '../../../src/kernel/identity/merges.repository.js';
import {
  type LoggedChange,
  type OwnedId,
  type RecordedHistory,
  type RecordedState,
  type StateSource,
} from '../../../src/persons/undo/replay.js';
import { type SplitRecord } from '../../../src/kernel/identity/splits.repository.js';
import { type CurrentPerson, undoneMerge, undoneSplit } from '../../../src/persons/undo/undo.js';
import { type NaivePerson } from '../identity-naive.js';
import { event as made, merging } from '../identity-events.js';
import { type Happening, nameOf, type Undone, UndoWorld } from './undo-world.js';

export const at = (minute: number): Date => new Date(Date.UTC(2025, 2, 1, 10, minute));

interface Kept<Record> {
  record: Record;
  readonly states: Readonly<{ [side in 'survivor' | 'merged']?: RecordedState }>;
}

/** Persons in a list, and beside it the records and the log that the service would have; an undo reads only these. */
export class UndoRecords implements RecordedHistory {
  readonly happenings: Happening[] = [];
  private readonly log: { readonly event: IdentityEvent; readonly receivedAt: Date }[] = [];
  readonly kept: Kept<MergeRecord>[] = [];
  readonly keptSplits: Kept<SplitRecord>[] = [];
  private undone: Undone = { merges: new Set(), parts: new Set() };
  /** In the order in which they were added. */
  readonly distinctIds: string[] = [];
  now = 0;
  world = new UndoWorld([], this.undone);

  receive(event: IdentityEvent): void {
    this.log.push({ event, receivedAt: at(this.now) });
    this.happen({ kind: 'event', event });
  }

  add(distinctId: string, properties: object = {}): void {
    this.distinctIds.push(distinctId);
    this.receive(made(distinctId, { timestamp: at(this.now), set: { ...properties } }));
  }

  attach(named: string, distinctId: string): void {
    this.distinctIds.push(distinctId);
    this.receive(merging('alias', named, distinctId, { timestamp: at(this.now) }));
  }

  /** By an event that names an id of the survivor, or by hand. Returns the record. */
  merge(named: string, mergedName: string, byHand = false): MergeRecord {
    const [survivor, merged] = [this.world.ownerOf(named), this.world.person(mergedName)] as [NaivePerson, NaivePerson];
    const event = merging('merge_dangerously', named, merged.ids[0] ?? '', { timestamp: at(this.now) });
    const record: MergeRecord = {
      id: String(this.kept.length + 1),
      survivor: nameOf(survivor),
      merged: nameOf(merged),
      merged_uuid: '',
      merged_cohorts: [],
      survivor_cohorts: [],
      last_position: this.lastPosition(survivor, merged),
      redirects: [],
      reason: byHand ? 'by_hand' : 'merge_dangerously',
      event_uuid: byHand ? null : event.uuid,
      merged_at: at(this.now),
      undone_at: null,
      is_forgotten: false,
      distinct_ids: [...merged.ids],
    };
    this.kept.push({ record, states: { survivor: stateOf(survivor), merged: stateOf(merged) } });
    if (!byHand) this.log.push({ event, receivedAt: at(this.now) });
    const { id: name } = record;
    this.happen({ kind: 'merge', name, event, byHand, survivor: record.survivor, merged: record.merged });
    return record;
  }

  split(distinctIds: readonly string[]): SplitRecord {
    const root = this.world.ownerOf(distinctIds[0] ?? '') as NaivePerson;
    const id = String(this.keptSplits.length + 1);
    const parts = new Map(distinctIds.map((distinctId) => [distinctId, `${distinctId} of split ${id}`]));
    const record: SplitRecord = {
      id,
      person_id: nameOf(root),
      last_position: this.lastPosition(root),
      split_at: at(this.now),
      undone_at: null,
      is_forgotten: false,
      ids: [...parts].map(([distinct_id, person_id]) => ({ distinct_id, person_id, is_undone: false })),
    };
    this.keptSplits.push({ record, states: { survivor: stateOf(root) } });
    this.happen({ kind: 'split', root: nameOf(root), parts, at: at(this.now) });
    return record;
  }

  isInEffect({ id }: MergeRecord): boolean {
    return this.kept.some(({ record }) => record.id === id && record.undone_at === null);
  }

  /** Returns false when the undo is refused, which it must be exactly when it cannot be exact. */
  async undo({ id }: MergeRecord): Promise<boolean> {
    const target = this.kept.find(({ record }) => record.id === id) as Kept<MergeRecord>;
    const { record } = target;
    const root = this.world.person(record.merged) as NaivePerson;
    if (record.distinct_ids.some((distinctId) => this.world.ownerOf(distinctId) !== root)) return false;
    const undone = { ...this.undone, merges: new Set([...this.undone.merges, id]) };
    const without = new UndoWorld(this.happenings, undone);
    const [staying, restored] = [nameOf(root), record.merged].map((name) => without.person(name)) as NaivePerson[];
    const haveIds = [staying, restored].every((person) => person && person.ids.length > 0);
    const isPossible = staying !== restored && !without.hasStrayed && haveIds;
    const requested = undoneMerge(this, currentOf(root), record);
    if (!isPossible) {
      await expect(requested).rejects.toMatchObject({ status: 409 });
      return false;
    }
    const result = await requested;
    expect(seenOf(result.restored, result.distinctIds)).toEqual(seen(restored));
    const left = root.ids.filter((distinctId) => !result.distinctIds.includes(distinctId));
    expect(seenOf(result.survivor, left)).toEqual(seen(staying));
    target.record = { ...record, undone_at: at(this.now) };
    this.rewrite(result);
    this.undone = undone;
    this.world = without;
    return true;
  }

  /** What the service does to the other records. */
  private rewrite({ retargeted, unbrought }: Awaited<ReturnType<typeof undoneMerge>>): void {
    const survivors = new Map(retargeted.map(({ id, survivor }) => [id, survivor]));
    for (const kept of this.kept) {
      const { id, survivor, distinct_ids: ids } = kept.record;
      const gone = unbrought.flatMap(({ merge_id, distinct_id }) => (merge_id === id ? [distinct_id] : []));
      const left = ids.filter((distinctId) => !gone.includes(distinctId));
      kept.record = { ...kept.record, survivor: survivors.get(id) ?? survivor, distinct_ids: left };
    }
  }

  /** Undoes the latest split of the person of which something is left to undo. */
  async undoSplit(root: NaivePerson): Promise<boolean> {
    const separateOf = ({ record }: Kept<SplitRecord>) =>
      record.ids.flatMap(({ person_id, is_undone }) => {
        const person = this.world.persons.find(({ stored }) => stored === person_id);
        return is_undone || !person ? [] : [person];
      });
    const target = this.keptSplits.findLast((kept) => kept.record.person_id === nameOf(root) && separateOf(kept)[0]);
    if (!target) return false;
    const separate = separateOf(target);
    const grown = this.kept.some(
      ({ record }) => record.undone_at === null && separate.some((person) => nameOf(person) === record.survivor),
    );
    if (grown) return false;
    const names = separate.map(nameOf);
    const undone = { ...this.undone, parts: new Set([...this.undone.parts, ...names]) };
    const without = new UndoWorld(this.happenings, undone);
    const state = await undoneSplit(this, currentOf(root), separate.map(currentOf), target.record);
    const ids = [root, ...separate].flatMap((person) => person.ids);
    expect(seenOf(state, ids)).toEqual(seen(without.person(nameOf(root))));
    for (const kept of this.keptSplits) {
      if (names.includes(kept.record.person_id)) {
        kept.record = { ...kept.record, person_id: nameOf(root) };
        (kept.states as { survivor?: RecordedState }).survivor = undefined;
      }
    }
    target.record = {
      ...target.record,
      undone_at: at(this.now),
      ids: target.record.ids.map((id) => ({ ...id, is_undone: id.is_undone || names.includes(id.person_id) })),
    };
    this.undone = undone;
    this.world = without;
    return true;
  }

  merges(person: string): Promise<MergeRecord[]> {
    const parts = this.partsOf([person]);
    const records = this.kept.map(({ record }) => record);
    return Promise.resolve(records.filter(({ survivor, merged }) => parts.has(survivor) || parts.has(merged)));
  }

  splits(persons: readonly string[]): Promise<SplitRecord[]> {
    const parts = this.partsOf(persons);
    const found = this.keptSplits.map(({ record }) =>
      parts.has(record.person_id) ? record : { ...record, ids: record.ids.filter((id) => parts.has(id.person_id)) },
    );
    return Promise.resolve(found.filter(({ person_id, ids }) => parts.has(person_id) || ids.length > 0));
  }

  ids(persons: readonly string[], others: readonly string[]): Promise<OwnedId[]> {
    return Promise.resolve(
      this.distinctIds.flatMap((distinct_id, position) => {
        const person_id = nameOf(this.world.ownerOf(distinct_id));
        const isFound = persons.includes(person_id) || others.includes(distinct_id);
        return isFound ? [{ distinct_id, person_id, position: String(position) }] : [];
      }),
    );
  }

  state(source: StateSource): Promise<RecordedState> {
    const state =
      'merge' in source
        ? this.kept.find(({ record }) => record.id === source.merge)?.states[source.side]
        : this.keptSplits.find(({ record }) => record.id === source.split)?.states.survivor;
    return state ? Promise.resolve(state) : Promise.reject(new Error('There is no such state'));
  }

  events(distinctIds: readonly string[], since: Date, take: (event: LoggedChange) => void): Promise<void> {
    for (const { event, receivedAt } of this.log) {
      const { uuid, distinctId, timestamp, person, identifies, merge } = event;
      if (!distinctIds.includes(distinctId) || receivedAt < since) continue;
      const otherDistinctId = merge?.otherDistinctId ?? null;
      take({ uuid, distinctId, timestamp, person, identifies, receivedAt, otherDistinctId });
    }
    return Promise.resolve();
  }

  private partsOf(persons: readonly string[]): Set<string> {
    const parts = new Set(persons);
    for (const name of parts)
      for (const { record } of this.kept)
        if (record.undone_at === null && record.survivor === name) parts.add(record.merged);
    return parts;
  }

  private lastPosition(...persons: readonly NaivePerson[]): string {
    return String(Math.max(...persons.flatMap(({ ids }) => ids.map((id) => this.distinctIds.indexOf(id)))));
  }

  private happen(happening: Happening): void {
    this.happenings.push(happening);
    this.world.happen(happening);
  }
}

const stateOf = ({ properties, isIdentified, createdAt }: NaivePerson): RecordedState => ({
  properties: structuredClone(properties),
  is_identified: isIdentified,
  created_at: new Date(createdAt),
});

const currentOf = (person: NaivePerson): CurrentPerson => {
  const { properties, is_identified, created_at } = stateOf(person);
  return {
    id: nameOf(person),
    uuid: '',
    properties,
    is_identified,
    created_at: created_at ?? new Date(person.createdAt),
    cohorts: [],
  };
};

const seen = (person: NaivePerson | undefined) => ({
  ids: [...(person?.ids ?? [])].sort(),
  properties: person?.properties,
  isIdentified: person?.isIdentified,
  createdAt: person?.createdAt,
});

const seenOf = ({ properties, isIdentified, createdAt }: PersonState, ids: readonly string[]) => ({
  ids: [...ids].sort(),
  properties,
  isIdentified,
  createdAt: createdAt.getTime(),
});
