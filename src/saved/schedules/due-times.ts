import { inZone, type Calendar } from '../../platform/time/intervals.js';

/** As ISO 8601 numbers them, from 1. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const;

export type Weekday = (typeof weekdays)[number];

export interface DueTimes {
  /** Null: every day. */
  readonly weekday: Weekday | null;
  readonly hour: number;
}

/** The first due moment after another one. A day without the hour, because clocks are put forward, has it an hour later. */
export const nextDue = (after: Date, { weekday, hour }: DueTimes, calendar: Calendar): Date => {
  // Noon is on each day, so that no day is left out or comes twice.
  let noon = inZone(after, calendar).set({ hour: 12, minute: 0, second: 0, millisecond: 0 });
  for (;;) {
    const due = noon.set({ hour }).toJSDate();
    if (due > after && (weekday === null || weekdays[noon.weekday - 1] === weekday)) return due;
    noon = noon.plus({ days: 1 });
  }
};

/** The last due moment that is not after `now`, if `due` is one of them: those before it are not sent any more. */
export const latestDue = (due: Date, now: Date, times: DueTimes, calendar: Calendar): Date => {
  let latest = due;
  for (let next = nextDue(due, times, calendar); next <= now; next = nextDue(next, times, calendar)) latest = next;
  return latest;
};
