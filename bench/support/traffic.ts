import { type SeedEvent, seedEvents } from '../../src/app/demo/seed-events.js';
import { setTimeout as sleep } from 'node:timers/promises';
import { load, request } from './load.js';
import { type BenchedService } from './service.js';

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

/** Sends so many events a second until it is stopped. */
export const keepBusy = async (
  { url, project_token }: Pick<BenchedService, 'url' | 'project_token'>,
  eventsPerSecond: number,
  stop: AbortSignal,
): Promise<void> => {
  const batchSize = 50;
  const requests = batches(project_token, traffic(100_000, 1), batchSize);
  for (const next of requests) {
    if (stop.aborted) return;
    await load(url, 1, [next]);
    await sleep((1000 * batchSize) / eventsPerSecond);
  }
};
