import { type SeedEvent, seedEvents } from '../../src/app/demo/seed-events.js';
import { request } from './load.js';

const eventsPerPerson = 10;

/**
 * Traffic as it arrives: visits of new and known persons, mixed, some of whom sign up. Each `part` is other traffic, and
 * the same in each run but for its times.
 */
export const traffic = (events: number, part: number, now = new Date()): SeedEvent[] =>
  [...seedEvents({ events, persons: events / eventsPerPerson, days: 30 + part, now })].map(({ event }) => event);

/** The worst order for the persons: no event has to do with the one before. */
export const shuffled = (events: readonly SeedEvent[]): SeedEvent[] => {
  const step = 7919;
  if (events.length % step === 0) throw new Error(`Shuffles no multiple of ${step}`);
  return events.map((_, at) => events[(at * step) % events.length] as SeedEvent);
};

export const batches = (token: string, events: readonly SeedEvent[], size: number): Buffer[] =>
  Array.from({ length: Math.ceil(events.length / size) }, (_, at) =>
    request('POST', '/batch/', JSON.stringify({ api_key: token, batch: events.slice(at * size, (at + 1) * size) })),
  );

export const singles = (token: string, events: readonly SeedEvent[]): Buffer[] =>
  events.map((event) => request('POST', '/capture/', JSON.stringify({ ...event, api_key: token })));
