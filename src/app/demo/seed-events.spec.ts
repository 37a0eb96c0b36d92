import { describe, expect, it } from '@jest/globals';
import { normalise } from '../../kernel/event-log/normalise/normalise.js';
import { milestones } from './habits.js';
import { type SeedPlan, type Seeded, seedEvents } from './seed-events.js';

const day = 86_400_000;
const plan: SeedPlan = { events: 30_000, persons: 1000, days: 30, now: new Date('2026-03-12T14:05:00Z') };
const start = plan.now.getTime() - plan.days * day;
const seeded = [...seedEvents(plan)];
const timeOf = ({ event }: Seeded): number => Date.parse(event.timestamp);
const dayOf = (one: Seeded): number => Math.floor((timeOf(one) - start) / day);

const daysOfPersons = (): Map<number, Set<number>> => {
  const days = new Map<number, Set<number>>();
  for (const one of seeded) days.set(one.person, (days.get(one.person) ?? new Set()).add(dayOf(one)));
  return days;
};

describe('a plan', () => {
  it('makes exactly the requested events and persons, each uuid once', () => {
    expect(seeded.length).toBe(plan.events);
    expect(new Set(seeded.map(({ person }) => person)).size).toBe(plan.persons);
    expect(new Set(seeded.map(({ event }) => event.uuid)).size).toBe(plan.events);
  });

  it.each([
    { events: 1, persons: 1, days: 1 },
    { events: 500, persons: 500, days: 1 },
    { events: 2000, persons: 1, days: 2 },
    { events: 997, persons: 31, days: 400 },
  ])('of %j too, within its days', (small) => {
    const made = [...seedEvents({ ...small, now: plan.now })];
    expect([made.length, new Set(made.map(({ person }) => person)).size]).toEqual([small.events, small.persons]);
    const times = made.map(timeOf);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(plan.now.getTime() - small.days * day);
    expect(Math.max(...times)).toBeLessThanOrEqual(plan.now.getTime());
    expect(times).toEqual([...times].sort((a, b) => a - b));
  });

  it('makes the same events each time', () => {
    expect([...seedEvents(plan)]).toEqual(seeded);
  });

  it('keeps its uuids and persons when it is carried out at another time', () => {
    const later = [...seedEvents({ ...plan, now: new Date('2026-03-13T09:00:00Z') })];
    expect(new Set(later.map(({ event }) => event.uuid))).toEqual(new Set(seeded.map(({ event }) => event.uuid)));
  });

  it('shares no uuid and no user with another plan', () => {
    const ids = new Set(seeded.flatMap(({ event }) => [event.uuid, event.distinct_id]));
    for (const { event } of seedEvents({ ...plan, days: 31 })) {
      expect(ids.has(event.uuid) || ids.has(event.distinct_id)).toBe(false);
    }
  });

  it('is carried out in the order of time', () => {
    const times = seeded.map(timeOf);
    expect(times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0))).toBe(true);
    expect(times[0]).toBeGreaterThanOrEqual(start);
    expect(times.at(-1)).toBeLessThanOrEqual(plan.now.getTime());
  });
});

describe('the traffic', () => {
  it('is taken by capture as it is, without a warning', () => {
    const taken = seeded.map(({ event }) => normalise(event, { now: plan.now, sentAt: null, index: 0, engage: false }));
    expect(taken.find((each) => !each.ok || each.event.warnings.length > 0)).toBeUndefined();
    expect(taken.map((each) => each.ok && each.event.uuid)).toEqual(seeded.map(({ event }) => event.uuid));
  });

  it('converts ever fewer persons from step to step, in this order', () => {
    const steps = ['$pageview', ...milestones];
    const reached = new Map<number, number>();
    let outOfOrder = 0;
    for (const { person, event } of seeded) {
      const step = reached.get(person) ?? 0;
      if (event.event === steps[step]) reached.set(person, step + 1);
      else if (steps.indexOf(event.event) >= step) outOfOrder += 1;
    }
    expect(outOfOrder).toBe(0);
    const counts = steps.map((_, step) => [...reached.values()].filter((last) => last > step).length);
    expect(counts[0]).toBe(plan.persons);
    expect(counts.at(-1)).toBeGreaterThan(10);
    counts.forEach((count, at) => at > 0 && expect(count).toBeLessThan((counts[at - 1] ?? 0) * 0.8));
  });

  it('brings back fewer persons the longer ago they came', () => {
    const early = [...daysOfPersons().values()].filter((days) => Math.min(...days) < 10);
    const returned = (from: number, to: number): number => {
      const active = early.map((days) => [...days].filter((at) => at - Math.min(...days) >= from).length);
      const beyond = early.map((days) => [...days].filter((at) => at - Math.min(...days) > to).length);
      return active.reduce((sum, count, at) => sum + count - (beyond[at] ?? 0), 0) / (early.length * (to - from + 1));
    };
    const shares = [returned(1, 2), returned(3, 6), returned(7, 12), returned(13, 19)];
    expect(shares).toEqual([...shares].sort((a, b) => b - a));
    expect(shares.at(-1)).toBeGreaterThan(0.02);
    expect(shares[0]).toBeGreaterThan(2 * (shares.at(-1) ?? 0));
  });

  it('has persons who are new, come again at once, come back after a pause, and stay away', () => {
    const seen = { new: 0, returning: 0, resurrecting: 0, dormant: 0 };
    for (const days of daysOfPersons().values()) {
      const first = Math.min(...days);
      if (first === 15) seen.new += 1;
      if (first < 15 && days.has(14) && days.has(15)) seen.returning += 1;
      if (first < 14 && !days.has(14) && days.has(15)) seen.resurrecting += 1;
      if (days.has(14) && !days.has(15)) seen.dormant += 1;
    }
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(5);
  });

  it('comes in sessions of one person on one device, which walk from page to page', () => {
    const sessions = new Map<string, Seeded[]>();
    for (const one of seeded) {
      const id = one.event.properties.$session_id as string;
      sessions.set(id, [...(sessions.get(id) ?? []), one]);
    }
    expect(sessions.size).toBeGreaterThan(plan.events / 12);
    const odd = [...sessions.values()].filter(
      (events) =>
        new Set(events.map(({ person, event }) => `${person} ${event.properties.$browser as string}`)).size > 1 ||
        events[0]?.event.event !== '$pageview',
    );
    expect(odd).toEqual([]);
  });

  it('has long tails, amounts and a few test accounts', () => {
    const values = (key: string): Set<unknown> => new Set(seeded.map(({ event }) => event.properties[key]));
    expect(values('country').size).toBeGreaterThan(40);
    expect(values('utm_source').size).toBeGreaterThan(15);
    expect(values('$pathname').size).toBeGreaterThan(300);
    expect(values('plan').size).toBeGreaterThan(3);
    expect([...values('amount')].filter((amount) => typeof amount === 'number').length).toBeGreaterThan(10);
    const inCompany = seeded.filter(({ event }) => event.properties.$groups !== undefined);
    expect(inCompany.every(({ event }) => event.properties.plan !== undefined)).toBe(true);
    expect(inCompany.length).toBeGreaterThan(seeded.length / 4);
    const emails = seeded.flatMap(({ person, event: { properties } }) =>
      properties.$set && 'email' in (properties.$set as object) ? [{ person, ...(properties.$set as object) }] : [],
    ) as { person: number; email: string }[];
    const tests = new Set(emails.filter(({ email }) => email.endsWith('@example.test')).map(({ person }) => person));
    expect(tests.size).toBeGreaterThan(0);
    expect(tests.size).toBeLessThan(plan.persons * 0.03);
  });

  it('names each person by one user id, to which every anonymous id is joined before it is left', () => {
    const [users, anonymous] = [new Map<number, Set<string>>(), new Map<number, Set<string>>()];
    for (const { person, event } of seeded) {
      const isUser = event.distinct_id.startsWith('user-');
      const ids = isUser ? users : anonymous;
      ids.set(person, (ids.get(person) ?? new Set()).add(event.distinct_id));
      if (isUser && event.event === '$identify') {
        anonymous.get(person)?.delete(event.properties.$anon_distinct_id as string);
      }
    }
    for (const [person, ids] of users) {
      expect(ids.size).toBe(1);
      expect(anonymous.get(person)?.size).toBe(0);
    }
    expect(users.size).toBeGreaterThan(plan.persons / 4);
    expect(new Set([...users.values()].flatMap((ids) => [...ids])).size).toBe(users.size);
  });
});
