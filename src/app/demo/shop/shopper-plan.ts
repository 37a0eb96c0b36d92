import { odds, type Random } from '../random.js';

/** A visit of a person, with its purpose. */
export interface Visit {
  /** The time from 0 to 1: the share of the period's traffic that has passed. The calendar turns it into a moment. */
  readonly at: number;
  readonly kind: 'visit' | 'newsletter';
  readonly productViews: number;
  /** The probability that a product that was viewed is put into the cart. */
  readonly adds: number;
  /** The probability that a cart gets to the checkout in this visit. */
  readonly checksOut: number;
  readonly subscribes: boolean;
  /** The number of the newsletter that led here; null for other ways. */
  readonly issue: number | null;
}

interface Habits {
  readonly visits: number;
  readonly daysBetween: number;
  readonly productViews: number;
  readonly adds: number;
  readonly checksOut: number;
  readonly subscribes: number;
}

const bounced: Habits = { visits: 0, daysBetween: 1, productViews: 0.4, adds: 0, checksOut: 0, subscribes: 0 };
const browsing: Habits = {
  visits: 1.3,
  daysBetween: 6,
  productViews: 3,
  adds: 0.08,
  checksOut: 0.12,
  subscribes: 0.03,
};
const reading: Habits = { visits: 0.6, daysBetween: 14, productViews: 2, adds: 0.05, checksOut: 0.1, subscribes: 0.9 };
const buying: Habits = { visits: 2, daysBetween: 5, productViews: 4, adds: 0.25, checksOut: 0.55, subscribes: 0.2 };
const loyal: Habits = { visits: 60, daysBetween: 6, productViews: 4, adds: 0.28, checksOut: 0.7, subscribes: 0.45 };

const kinds = odds<Habits>([
  [bounced, 45],
  [browsing, 30],
  [buying, 14],
  [reading, 6],
  [loyal, 5],
]);

const daysBetweenIssues = 7;
const reads = 0.45;
const readerFollows = 0.3;

/** All visits of one person and the newsletters that the person opens, in the order of time. */
export const visitsOf = (random: Random, days: number): Visit[] => {
  const habits = random.of(kinds);
  // A shop that grows: later days bring more newcomers than earlier ones.
  const arrival = random.share() ** 0.85;
  const visits: Visit[] = [];
  let remaining = 1 + Math.floor(random.exponential(habits.visits));
  for (let at = arrival; remaining > 0 && at < 1; remaining -= 1) {
    const isSubscriber = visits.some(({ subscribes }) => subscribes);
    visits.push(visitAt(at, random, habits, !isSubscriber && random.chance(habits.subscribes)));
    at += random.exponential(habits.daysBetween) / days;
  }
  const subscribed = visits.find(({ subscribes }) => subscribes);
  return subscribed
    ? [...visits, ...newsletters(subscribed.at, days, habits, random)].sort((a, b) => a.at - b.at)
    : visits;
};

const visitAt = (
  at: number,
  random: Random,
  habits: Habits,
  subscribes: boolean,
  issue: number | null = null,
): Visit => ({
  at,
  kind: 'visit',
  productViews: Math.min(15, Math.floor(random.exponential(habits.productViews) + habits.productViews / 3)),
  adds: habits.adds,
  checksOut: habits.checksOut,
  subscribes,
  issue,
});

/** One issue a week goes to all subscribers; some open it within a day, and some of those follow a link to the shop. */
function* newsletters(since: number, days: number, habits: Habits, random: Random): Generator<Visit, void, undefined> {
  const issues = Math.floor(days / daysBetweenIssues);
  for (let issue = 1; issue <= issues; issue += 1) {
    const at = (issue * daysBetweenIssues + random.exponential(0.4)) / days;
    if (at <= since || at >= 1 || !random.chance(reads)) continue;
    yield { ...visitAt(at, random, habits, false, issue), kind: 'newsletter' };
    // The visit has the `at` of the newsletter and stays after it in the stable sort; `Shopper` adds some seconds.
    if (random.chance(readerFollows)) yield visitAt(at, random, habits, false, issue);
  }
}
