import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { event as made } from '../support/identity-events.js';
import { type NaivePerson } from '../support/identity-naive.js';
import { at, UndoRecords } from '../support/undo/undo-records.js';
import { nameOf } from '../support/undo/undo-world.js';
import { type MergeRecord } from '../../src/kernel/identity/merges.repository.js';

const runs = Number(process.env.UNDO_HISTORIES ?? 200);

type Step =
  | { readonly kind: 'change'; readonly who: number; readonly changes: object }
  | { readonly kind: 'attach'; readonly who: number }
  | { readonly kind: 'merge'; readonly who: number; readonly other: number; readonly byHand: boolean }
  | { readonly kind: 'split'; readonly who: number; readonly ids: number }
  | { readonly kind: 'undo'; readonly which: number }
  | { readonly kind: 'undo split'; readonly which: number };

const number = fc.nat({ max: 999 });
const key = fc.constantFrom('plan', 'city', 'age');
const value = fc.nat({ max: 3 });
const changes = fc.oneof(
  fc.tuple(key, value).map(([name, of]) => ({ set: { [name]: of } })),
  fc.tuple(key, value).map(([name, of]) => ({ setOnce: { [name]: of } })),
  fc.tuple(key, value).map(([name, of]) => ({ momentary: { [name]: of } })),
  key.map((name) => ({ unset: [name] })),
);
const kind = <Kind extends Step['kind']>(of: Kind) => fc.constant(of);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: kind('change'), who: number, changes }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('attach'), who: number }) },
  { weight: 4, arbitrary: fc.record({ kind: kind('merge'), who: number, other: number, byHand: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('split'), who: number, ids: number }) },
  { weight: 3, arbitrary: fc.record({ kind: kind('undo'), which: number }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('undo split'), which: number }) },
);

const pick = <T>(items: readonly T[], which: number): T => items[which % items.length] as T;

const take = async (records: UndoRecords, step: Step): Promise<void> => {
  records.now += 1;
  const { distinctIds, world } = records;
  const { persons } = world;
  if (step.kind === 'change') {
    records.receive(made(pick(distinctIds, step.who), { timestamp: at(records.now), ...step.changes }));
  } else if (step.kind === 'attach') {
    records.attach(pick(distinctIds, step.who), `more ${records.now}`);
  } else if (step.kind === 'merge') {
    const merged = pick(persons, step.other);
    const others = distinctIds.filter((id) => !merged.ids.includes(id));
    if (others.length > 0) records.merge(pick(others, step.who), nameOf(merged), step.byHand);
  } else if (step.kind === 'split') {
    const several = persons.map(({ ids }) => ids).filter((ids) => ids.length > 1);
    const ids = several.length > 0 ? pick(several, step.who) : [];
    const leaving = ids.filter((_, n) => n !== step.ids % ids.length && (step.ids >> n) % 2 === 0);
    if (leaving.length > 0) records.split(leaving);
  } else if (step.kind === 'undo') {
    const active = records.kept.filter(({ record }) => record.undone_at === null);
    if (active.length > 0) await records.undo(pick(active, step.which).record);
  } else {
    const split = persons.filter((person) =>
      records.keptSplits.some(({ record }) => record.person_id === nameOf(person)),
    );
    if (split.length > 0) await records.undoSplit(pick(split, step.which));
  }
};

/** Undoes what can be undone, until nothing can. */
const undoAll = async (records: UndoRecords): Promise<void> => {
  for (let isDone = false; !isDone;) {
    isDone = true;
    for (const { record } of records.kept) {
      records.now += 1;
      if (records.isInEffect(record) && (await records.undo(record))) isDone = false;
    }
    for (const person of records.world.persons) {
      records.now += 1;
      if (records.world.persons.includes(person) && (await records.undoSplit(person))) isDone = false;
    }
  }
};

/** Does one thing a minute. */
const scene = (...names: readonly string[]) => {
  const records = new UndoRecords();
  const next = (): UndoRecords => {
    records.now += 1;
    return records;
  };
  for (const name of names) next().add(name);
  return {
    records,
    attach: (named: string, id: string) => next().attach(named, id),
    set: (id: string, set: object) => next().receive(made(id, { timestamp: at(records.now), set: { ...set } })),
    merge: (into: string, from: string) => next().merge(into, nameOf(records.world.ownerOf(from))),
    split: (...ids: readonly string[]) => next().split(ids),
    undo: (merge: MergeRecord) => next().undo(merge),
    undoSplit: (id: string) => next().undoSplit(records.world.ownerOf(id) as NaivePerson),
    of: (id: string) => records.world.ownerOf(id),
  };
};

describe('the persons after merges and splits were undone', () => {
  it('are those of a world in which they never happened, in any order of undo', async () => {
    const counts = { merges: 0, splits: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 20 }),
        fc.array(step, { maxLength: 60, size: 'max' }),
        async (persons, steps) => {
          const records = new UndoRecords();
          for (let person = 0; person < persons; person += 1) {
            records.now += 1;
            records.add(`id ${person}`, { plan: person });
          }
          for (const each of steps) await take(records, each);
          await undoAll(records);
          counts.merges += records.kept.filter(({ record }) => record.undone_at !== null).length;
          counts.splits += records.keptSplits.filter(({ record }) => record.undone_at !== null).length;
        },
      ),
      { numRuns: runs },
    );
    expect(counts.merges).toBeGreaterThan(runs);
    expect(counts.splits).toBeGreaterThan(runs / 2);
  });

  it('have a distinct id back, whatever an earlier undo has recorded about it', async () => {
    const { merge, attach, undo, of } = scene('ada', 'bob', 'cyd', 'dan');
    const bobToAda = merge('ada', 'bob');
    attach('bob', 'bob 2');
    const adaToCyd = merge('cyd', 'ada');
    expect(await undo(merge('dan', 'cyd'))).toBe(true);
    expect(await undo(bobToAda)).toBe(true);
    const cydToBob = merge('bob', 'cyd');
    expect(await undo(adaToCyd)).toBe(true);
    expect(await undo(cydToBob)).toBe(true);
    expect(of('bob')?.ids).toEqual(['bob', 'bob 2']);
  });

  it('have what was set while a split was in effect that was undone since', async () => {
    const { merge, attach, set, split, undo, undoSplit, of } = scene('ada', 'bob');
    attach('ada', 'ada 2');
    split('ada 2');
    set('ada 2', { plan: 'pro' });
    const merged = merge('ada', 'bob');
    set('bob', { plan: 'free' });
    expect(await undoSplit('ada')).toBe(true);
    expect(of('ada')?.properties).toEqual({ plan: 'free' });
    expect(await undo(merged)).toBe(true);
    expect([of('ada')?.properties, of('bob')?.properties]).toEqual([{ plan: 'pro' }, { plan: 'free' }]);
  });

  it('have what was set by an id before it was split off', async () => {
    const { merge, attach, set, split, undo, of } = scene('ada', 'bob');
    attach('ada', 'ada 2');
    const merged = merge('ada', 'bob');
    set('ada 2', { plan: 'pro' });
    set('bob', { plan: 'free' });
    split('ada 2');
    expect(await undo(merged)).toBe(true);
    expect([of('ada')?.properties, of('bob')?.properties]).toEqual([{ plan: 'pro' }, { plan: 'free' }]);
  });

  it('come back one after the other when some of a split were merged', async () => {
    const { merge, attach, set, split, undo, undoSplit, of } = scene('ada', 'bob');
    attach('ada', 'ada 2');
    attach('ada', 'ada 3');
    split('ada 2', 'ada 3');
    const merged = merge('bob', 'ada 3');
    set('ada 3', { plan: 'pro' });
    expect([await undoSplit('ada'), of('ada')?.ids]).toEqual([true, ['ada', 'ada 2']]);
    expect(await undoSplit('ada')).toBe(false);
    expect(await undo(merged)).toBe(true);
    expect([await undoSplit('ada'), of('ada')?.properties]).toEqual([true, { plan: 'pro' }]);
    expect(of('ada')?.ids.sort()).toEqual(['ada', 'ada 2', 'ada 3']);
  });

  it('have an id that left with one person and came back with another', async () => {
    const { merge, attach, split, undo, of } = scene('ada', 'bob', 'cyd');
    attach('ada', 'ada 2');
    const cydToAda = merge('ada', 'cyd');
    split('ada 2');
    merge('bob', 'ada 2');
    const bobToCyd = merge('cyd', 'bob');
    expect(await undo(cydToAda)).toBe(true);
    expect(of('cyd')?.ids.sort()).toEqual(['ada 2', 'bob', 'cyd']);
    expect(await undo(bobToCyd)).toBe(true);
    expect(of('bob')?.ids.sort()).toEqual(['ada 2', 'bob']);
  });

  it('stay as they are when a person would have no id, or an id that it brought is elsewhere', async () => {
    const { merge, attach, split, undo, undoSplit, of } = scene('ada', 'bob', 'cyd');
    const bobToAda = merge('ada', 'bob');
    split('ada');
    expect(await undo(bobToAda)).toBe(false);
    expect(await undoSplit('bob')).toBe(true);
    expect(await undo(bobToAda)).toBe(true);
    attach('cyd', 'cyd 2');
    const cydToAda = merge('ada', 'cyd');
    split('cyd 2');
    const back = merge('ada', 'cyd 2');
    expect(await undo(cydToAda)).toBe(false);
    expect([await undo(back), await undoSplit('ada'), await undo(cydToAda)]).toEqual([true, true, true]);
    expect(of('cyd')?.ids).toEqual(['cyd', 'cyd 2']);
  });

  it('have what they had when an id was split off from a person that a split had made', async () => {
    const { merge, attach, set, split, undo, of } = scene('ada', 'bob', 'cyd', 'dan', 'eve');
    const adaToDan = merge('dan', 'ada');
    attach('cyd', 'cyd 2');
    merge('bob', 'cyd');
    split('cyd');
    merge('ada', 'bob');
    merge('cyd', 'eve');
    split('cyd');
    set('dan', { plan: 'pro' });
    set('ada', { city: 'Rome' });
    merge('cyd', 'dan');
    expect(of('cyd')?.properties).toEqual({ plan: 'pro', city: 'Rome' });
    expect(await undo(adaToDan)).toBe(true);
    expect([of('dan')?.ids.sort(), of('dan')?.properties]).toEqual([['cyd', 'dan'], { plan: 'pro' }]);
    expect([of('ada')?.ids.sort(), of('ada')?.properties]).toEqual([['ada', 'bob', 'cyd 2'], { city: 'Rome' }]);
  });
});
