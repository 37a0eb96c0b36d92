import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { type NaivePerson, NaiveWorld } from '../../../test/support/identity-naive.js';
import { event as made, merging } from '../../../test/support/identity-events.js';
import { type IdentityEvent } from '../identity/identity-event.js';
import { homesOf, planHistory } from './history-plan.js';
import { type MergeRecord, type RecordedState, type Side } from './merge-records.js';
import { Replay } from './replay.js';

type Step =
  | { readonly kind: 'change'; readonly who: number; readonly changes: object }
  | { readonly kind: 'attach'; readonly who: number }
  | { readonly kind: 'merge'; readonly who: number; readonly other: number; readonly byHand: boolean }
  | { readonly kind: 'undo'; readonly which: number };

const number = fc.nat({ max: 999 });
const key = fc.constantFrom('plan', 'city', 'age');
const value = fc.nat({ max: 3 });
const changes = fc.oneof(
  fc.tuple(key, value).map(([name, of]) => ({ set: { [name]: of } })),
  fc.tuple(key, value).map(([name, of]) => ({ setOnce: { [name]: of } })),
  fc.tuple(key, value).map(([name, of]) => ({ momentary: { [name]: of } })),
  key.map((name) => ({ unset: [name] })),
);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('change' as const), who: number, changes }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('attach' as const), who: number }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('merge' as const), who: number, other: number, byHand: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('undo' as const), which: number }) },
);

const at = (minute: number): Date => new Date(Date.UTC(2025, 2, 1, 10, minute));

interface Kept {
  record: MergeRecord;
  readonly event: IdentityEvent;
  readonly states: Readonly<Record<Side, RecordedState>>;
}

/** Persons whose names are their first ids, and everything that was received, merged and undone. */
class Scene {
  readonly events: { readonly event: IdentityEvent; readonly receivedAt: Date }[] = [];
  readonly kept: Kept[] = [];
  readonly undone = new Set<string>();
  /** In the order in which they were added. */
  readonly ids: string[] = [];
  now = 0;

  /** What would be there if the merges had never happened. */
  world(without: ReadonlySet<string>): NaiveWorld {
    const world = new NaiveWorld();
    for (const { event } of this.events) {
      world.receive([without.has(event.uuid) ? { ...event, merge: null } : event]);
      for (const person of world.persons) person.stored = person.ids[0] ?? null;
    }
    return world;
  }

  get actual(): NaiveWorld {
    return this.world(this.undone);
  }

  receive(event: IdentityEvent): void {
    this.events.push({ event, receivedAt: at(this.now) });
  }

  merge(survivor: NaivePerson, named: string, merged: NaivePerson, byHand: boolean): void {
    const event = merging('merge_dangerously', byHand ? nameOf(survivor) : named, nameOf(merged), {
      timestamp: at(this.now),
    });
    const last = Math.max(...[...survivor.ids, ...merged.ids].map((id) => this.ids.indexOf(id)));
    const record: MergeRecord = {
      id: String(this.kept.length + 1),
      survivor: nameOf(survivor),
      merged: nameOf(merged),
      merged_uuid: '',
      merged_cohorts: [],
      survivor_cohorts: [],
      last_position: String(last),
      redirects: [],
      reason: byHand ? 'by_hand' : 'merge_dangerously',
      event_uuid: byHand ? null : event.uuid,
      merged_at: at(this.now),
      undone_at: null,
      is_forgotten: false,
      distinct_ids: [...merged.ids],
    };
    this.kept.push({ record, event, states: { survivor: stateOf(survivor), merged: stateOf(merged) } });
    this.receive(event);
  }

  /** Undoes a merge as the service does, and compares the two persons with those of the world without it. */
  undo(target: Kept): void {
    const root = nameOf(this.actual.find(target.record.merged));
    const parts = new Set([root]);
    for (const name of parts)
      for (const { record } of this.kept)
        if (record.undone_at === null && record.survivor === name) parts.add(record.merged);
    const all = this.kept
      .map(({ record }) => record)
      .filter(({ survivor, merged }) => parts.has(survivor) || parts.has(merged));
    const plan = planHistory(all, root, { id: target.record.id, at: target.record.merged_at });
    const bases = new Map(
      [...plan.bases].map(([person, { record, side }]) => {
        const kept = this.kept.find(({ record: { id } }) => id === record.id);
        const { properties, is_identified, created_at } = kept?.states[side] ?? nothing;
        const base = { properties, isIdentified: is_identified, createdAt: created_at, since: record.merged_at };
        return [person, base] as const;
      }),
    );
    const own = this.actual.find(root)?.ids ?? [];
    const placed = own.map((id) => ({ distinct_id: id, position: String(this.ids.indexOf(id)) }));
    const ids = homesOf(plan, root, placed);
    const [explained, apart] = [null, target.record.id].map(
      (id) => new Replay({ bases, ids, merges: plan.merges }, id),
    ) as [Replay, Replay];
    for (const { event, receivedAt } of this.events) {
      if (!ids.has(event.distinctId)) continue;
      const byHand = this.kept.some(({ record, event: { uuid } }) => uuid === event.uuid && record.event_uuid === null);
      if (byHand) continue;
      const { uuid, distinctId, timestamp, person, identifies, merge } = event;
      const change = { uuid, distinctId, timestamp, person, identifies, receivedAt };
      for (const replay of [explained, apart])
        replay.take({ ...change, otherDistinctId: merge?.otherDistinctId ?? null });
    }
    expect(seenOf(explained.finish(), root, own)).toEqual(seen(this.actual.find(root)));
    apart.finish();
    const world = this.world(new Set([...this.undone, target.event.uuid]));
    for (const person of [root, target.record.merged]) {
      expect(seenOf(apart, person, own)).toEqual(seen(world.find(person)));
    }
    this.update(target, plan.merges, apart);
  }

  private update(target: Kept, merges: readonly { id: string; merged: string }[], apart: Replay): void {
    const restored = apart.personOf(target.record.merged);
    for (const kept of this.kept) {
      const { record } = kept;
      if (!merges.some(({ id }) => id === record.id)) continue;
      if (record.id === target.record.id) kept.record = { ...record, undone_at: at(this.now) };
      else if (apart.personOf(record.merged) === restored) {
        const survivor = apart.personOf(record.survivor) === restored ? record.survivor : apart.survivorOf(record.id);
        kept.record = { ...record, survivor: survivor ?? '' };
      } else {
        const staying = record.distinct_ids.filter((id) => !this.knows(apart, id) || apart.ownerOf(id) !== restored);
        kept.record = { ...record, distinct_ids: staying };
      }
    }
    this.undone.add(target.event.uuid);
  }

  private knows(apart: Replay, id: string): boolean {
    try {
      return Boolean(apart.ownerOf(id));
    } catch {
      return false;
    }
  }
}

const nothing: RecordedState = { properties: {}, is_identified: false, created_at: null };
const nameOf = (person: NaivePerson | undefined): string => person?.ids[0] ?? '';
const stateOf = ({ properties, isIdentified, createdAt }: NaivePerson): RecordedState => ({
  properties: structuredClone(properties),
  is_identified: isIdentified,
  created_at: new Date(createdAt),
});

const seen = (person: NaivePerson | undefined) => ({
  ids: [...(person?.ids ?? [])].sort(),
  properties: person?.properties,
  isIdentified: person?.isIdentified,
  createdAt: person?.createdAt,
});

const seenOf = (replay: Replay, name: string, ids: readonly string[]) => {
  const person = replay.personOf(name);
  return {
    ids: ids.filter((id) => replay.ownerOf(id) === person).sort(),
    properties: person.properties.toObject(),
    isIdentified: person.isIdentified,
    createdAt: person.createdAt?.getTime(),
  };
};

const pick = <T>(items: readonly T[], at: number): T => items[at % items.length] as T;

const take = (scene: Scene, step: Step): void => {
  scene.now += 1;
  const { persons } = scene.actual;
  if (step.kind === 'change') {
    scene.receive(made(pick(scene.ids, step.who), { timestamp: at(scene.now), ...step.changes }));
  } else if (step.kind === 'attach') {
    const [named, id] = [pick(scene.ids, step.who), `more ${scene.now}`];
    scene.ids.push(id);
    scene.receive(merging('alias', named, id, { timestamp: at(scene.now) }));
  } else if (step.kind === 'merge') {
    const merged = pick(persons, step.other);
    const others = scene.ids.filter((id) => !merged.ids.includes(id));
    if (others.length === 0) return;
    const named = pick(others, step.who);
    const survivor = persons.find(({ ids }) => ids.includes(named));
    if (survivor) scene.merge(survivor, named, merged, step.byHand);
  } else {
    const active = scene.kept.filter(({ record }) => record.undone_at === null);
    if (active.length > 0) scene.undo(pick(active, step.which));
  }
};

describe('the replay of a history without one of its merges', () => {
  it('gives the persons of a world in which the merge never happened, in any order of undo', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 20 }), fc.array(step, { maxLength: 60, size: 'max' }), (persons, steps) => {
        const scene = new Scene();
        for (let person = 0; person < persons; person += 1) {
          scene.now += 1;
          scene.ids.push(`id ${person}`);
          scene.receive(made(`id ${person}`, { timestamp: at(scene.now), set: { plan: person } }));
        }
        for (const each of steps) take(scene, each);
        for (const kept of scene.kept) if (kept.record.undone_at === null) take(scene, { kind: 'undo', which: 0 });
      }),
      { numRuns: 200 },
    );
  });

  it('leaves a distinct id with the person that got it back, whatever an earlier undo has recorded about it', () => {
    const scene = new Scene();
    for (const name of ['ada', 'bob', 'cyd', 'dan']) {
      scene.now += 1;
      scene.ids.push(name);
      scene.receive(made(name, { timestamp: at(scene.now) }));
    }
    const merge = (into: string, from: string) => {
      scene.now += 1;
      const [survivor, merged] = [into, from].map((name) => scene.actual.find(name)) as [NaivePerson, NaivePerson];
      scene.merge(survivor, into, merged, false);
      return scene.kept.length - 1;
    };
    const undo = (which: number) => {
      scene.now += 1;
      scene.undo(scene.kept[which] as Kept);
    };
    const bobToAda = merge('ada', 'bob');
    scene.now += 1;
    scene.ids.push('bob 2');
    scene.receive(merging('alias', 'bob', 'bob 2', { timestamp: at(scene.now) }));
    const adaToCyd = merge('cyd', 'ada');
    undo(merge('dan', 'cyd'));
    undo(bobToAda);
    const cydToBob = merge('bob', 'cyd');
    undo(adaToCyd);
    undo(cydToBob);
    expect(scene.actual.find('bob')?.ids).toEqual(['bob', 'bob 2']);
  });
});
