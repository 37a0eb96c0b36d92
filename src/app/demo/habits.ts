import { mixed, odds, Random } from './random.js';

/** The milestones that a person may reach, in this order. */
export const milestones = ['signed up', 'activated', 'invited teammate', 'paid'] as const;
export type Milestone = (typeof milestones)[number];

interface Kind {
  /** How many events: in one session, and over the whole period. */
  readonly atOnce: number;
  readonly overTime: number;
  readonly eventsPerSession: number;
  /** The length of the stay, as a share of the time that is left at the arrival. */
  readonly stays: readonly [least: number, most: number];
  /** The probability of each milestone after the one before. */
  readonly conversion: readonly number[];
}

const bounced: Kind = { atOnce: 1.5, overTime: 0, eventsPerSession: 8, stays: [0, 0], conversion: [] };
const casual: Kind = {
  atOnce: 9,
  overTime: 4,
  eventsPerSession: 5,
  stays: [0.02, 0.5],
  conversion: [0.5, 0.45, 0.2, 0.15],
};
const regular: Kind = {
  atOnce: 9,
  overTime: 60,
  eventsPerSession: 6,
  stays: [0.2, 1],
  conversion: [0.85, 0.8, 0.5, 0.45],
};
const devoted: Kind = {
  atOnce: 14,
  overTime: 200,
  eventsPerSession: 9,
  stays: [0.6, 1],
  conversion: [0.97, 0.92, 0.65, 0.65],
};
const kinds = odds([
  [bounced, 45],
  [casual, 30],
  [regular, 18],
  [devoted, 7],
]);

/** How often and how long one person uses the product. Times are shares of the period's traffic. */
export interface Habits {
  readonly arrival: number;
  readonly stay: number;
  /** The number of events, in proportion to other persons. */
  readonly weight: number;
  readonly eventsPerSession: number;
  /** The number of milestones that the person reaches, given enough time. */
  readonly goal: number;
  /** The source of all further choices about the person. */
  readonly random: Random;
}

/** Persons are numbered in the order they arrive. */
export const habitsOf = (seed: number, index: number, persons: number): Habits => {
  const random = new Random(mixed(seed, index));
  // A product that grows: later days bring more newcomers than earlier ones.
  const arrival = 0.999 * ((index + random.share()) / persons) ** 0.8;
  const kind = random.of(kinds);
  const [least, most] = kind.stays;
  const failedAt = kind.conversion.findIndex((probability) => !random.chance(probability));
  return {
    arrival,
    stay: (1 - arrival) * (least + (most - least) * random.share()),
    weight: kind.atOnce + kind.overTime * (1 - arrival) * random.around(1, 0.5),
    eventsPerSession: kind.eventsPerSession,
    goal: failedAt < 0 ? kind.conversion.length : failedAt,
    random,
  };
};
