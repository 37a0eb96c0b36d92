import { describe, expect, it } from '@jest/globals';
import { normalise } from '../../../kernel/event-log/normalise/normalise.js';
import { type Seeded } from '../seed-events.js';
import { shopEvents, type ShopPlan } from './shop-events.js';

const day = 86_400_000;
const plan: ShopPlan = { events: 30_000, days: 90, now: new Date('2026-03-12T14:05:00Z') };
const made = await shopEvents(plan);
const named = (name: string): Seeded[] => made.filter(({ event }) => event.event === name);
const personsOf = (events: readonly Seeded[]): Set<number> => new Set(events.map(({ person }) => person));
const timeOf = ({ event }: Seeded): number => Date.parse(event.timestamp);
const numberIn = ({ event }: Seeded, key: string): number => event.properties[key] as number;

describe('a shop', () => {
  it('has exactly the events of the plan, each uuid once, in the order of time, within the days', () => {
    expect(made.length).toBe(plan.events);
    expect(new Set(made.map(({ event }) => event.uuid)).size).toBe(plan.events);
    const times = made.map(timeOf);
    expect(times.every((time, at) => at === 0 || time >= (times[at - 1] ?? 0))).toBe(true);
    expect(times[0]).toBeGreaterThanOrEqual(plan.now.getTime() - plan.days * day);
    expect(times.at(-1)).toBeLessThanOrEqual(plan.now.getTime());
  });

  it('has the same events each time, and keeps their uuids at another time', async () => {
    expect(await shopEvents(plan)).toEqual(made);
    const later = await shopEvents({ ...plan, now: new Date('2026-03-14T09:00:00Z') });
    expect(new Set(later.map(({ event }) => event.uuid))).toEqual(new Set(made.map(({ event }) => event.uuid)));
  });

  it('sends what capture takes without a warning', () => {
    const taken = made.map(({ event }) => normalise(event, { now: plan.now, sentAt: null, index: 0, engage: false }));
    expect(taken.find((each) => !each.ok || each.event.warnings.length > 0)).toBeUndefined();
  });

  it('loses persons from step to step, but not all', () => {
    const steps = ['$pageview', 'product viewed', 'product added', 'checkout started', 'order paid'];
    const counts = steps.map((step) => personsOf(named(step)).size);
    counts.forEach((count, at) => at > 0 && expect(count).toBeLessThan((counts[at - 1] ?? 0) * 0.95));
    expect(counts.at(-1)).toBeGreaterThan((counts[0] ?? 0) * 0.05);
    expect(counts.at(-1)).toBeLessThan((counts[0] ?? 0) * 0.3);
  });

  it('asks for what was put into the cart, less the discount, with shipping', () => {
    const carts = new Map<string, number>();
    for (const one of made) {
      const key = `${one.person} ${one.event.properties.$session_id as string}`;
      if (one.event.event === 'checkout started') carts.set(key, numberIn(one, 'value'));
      if (one.event.event !== 'order paid') continue;
      const { discount = 0, shipping } = one.event.properties as { discount?: number; shipping: number };
      expect(numberIn(one, 'value')).toBeCloseTo((carts.get(key) ?? NaN) - discount + shipping, 2);
    }
    expect(named('order paid').length).toBeGreaterThan(300);
  });

  it('refunds only what was paid before', () => {
    const paid = new Map(named('order paid').map((one) => [one.event.properties.order_id, one]));
    const refunds = named('order refunded');
    expect(refunds.length).toBeGreaterThan(10);
    for (const refund of refunds) {
      const order = paid.get(refund.event.properties.order_id);
      expect([refund.person, numberIn(refund, 'value')]).toEqual([order?.person, order && numberIn(order, 'value')]);
      expect(timeOf(refund)).toBeGreaterThan(order ? timeOf(order) : Infinity);
    }
  });

  it('knows a customer by one user id, to which the anonymous ids are joined', () => {
    const users = new Map<number, Set<string>>();
    for (const { person, event } of made) {
      if (!event.distinct_id.startsWith('user-')) continue;
      users.set(person, (users.get(person) ?? new Set()).add(event.distinct_id));
    }
    for (const ids of users.values()) expect(ids.size).toBe(1);
    for (const { event } of named('order paid')) expect(event.distinct_id).toMatch(/^user-/);
    expect(users.size).toBeLessThan(personsOf(made).size / 2);
    expect(named('$identify').length).toBeGreaterThanOrEqual(personsOf(named('order paid')).size);
  });

  it('has quiet nights and busy Sundays', () => {
    const during = (from: number, to: number) =>
      made.filter((one) => new Date(timeOf(one)).getUTCHours() >= from && new Date(timeOf(one)).getUTCHours() < to)
        .length;
    const on = (weekday: number) => made.filter((one) => new Date(timeOf(one)).getUTCDay() === weekday).length;
    expect(during(18, 22)).toBeGreaterThan(5 * during(1, 5));
    expect(on(0)).toBeGreaterThan(on(6) * 1.3);
  });

  it('has members for cohorts: frequent customers, abandoned carts, readers who never bought', () => {
    const since = (days: number) => (one: Seeded) => timeOf(one) > plan.now.getTime() - days * day;
    const orders = new Map<number, number>();
    for (const { person } of named('order paid').filter(since(30))) orders.set(person, (orders.get(person) ?? 0) + 1);
    const frequent = [...orders.values()].filter((count) => count >= 3).length;
    const without = (persons: Set<number>, others: Set<number>) =>
      [...persons].filter((each) => !others.has(each)).length;
    const abandoned = without(
      personsOf(named('product added').filter(since(7))),
      personsOf(named('order paid').filter(since(7))),
    );
    const readers = without(personsOf(named('newsletter opened').filter(since(30))), personsOf(named('order paid')));
    for (const count of [frequent, abandoned, readers]) expect(count).toBeGreaterThan(10);
  });
});
