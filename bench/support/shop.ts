import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { MovedMembers } from '../../src/cohorts/static/moved-members.js';
import { seedEvents } from '../../src/events/seed/seed-events.js';
import { writeSeed } from '../../src/events/seed/write-seed.js';
import { Postgres } from '../../src/stores/postgres/postgres.js';
import { untilIdle, type BenchedService } from './service.js';

const eventsPerPerson = 30;

/** Events of a shop in the project of the service, in both stores. */
export const seedShop = async (service: BenchedService, eventCount: number): Promise<void> => {
  const { host, port, user, password, database } = service.database;
  const pool = new pg.Pool({ host, port, user, password: password as string, database: database as string, max: 4 });
  const now = new Date();
  const plan = { events: eventCount, persons: Math.ceil(eventCount / eventsPerPerson), days: 90, now };
  const traffic = { events: seedEvents(plan), now };
  await writeSeed(new Postgres(pool), service.project_id, traffic, new MovedMembers());
  await pool.end();
  await untilIdle(service);
  await service.database.query('SET statement_timeout = 0');
  await service.database.query('VACUUM ANALYZE events');
};

export const headersOf = ({ personal_api_key }: BenchedService) => ({
  Authorization: `Bearer ${personal_api_key}`,
  'Accept-Encoding': 'identity',
});

export interface Download {
  readonly lines: number;
  readonly seconds: number;
}

export const download = async (service: BenchedService, path: string, file = '/dev/null'): Promise<Download> => {
  const url = new URL(`/api/projects/${service.project_id}/export/${path}`, service.url);
  const started = performance.now();
  const answer = await fetch(url, { headers: headersOf(service) });
  if (answer.status !== 200 || !answer.body) throw new Error(`The service answered ${answer.status}`);
  let lines = 0;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
      yield chunk;
    }
  };
  await pipeline(Readable.from(counted()), createWriteStream(file));
  return { lines, seconds: (performance.now() - started) / 1000 };
};
