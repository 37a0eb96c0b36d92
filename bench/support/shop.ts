import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { finished, pipeline } from 'node:stream/promises';
import pg from 'pg';
import { MovedMembers } from '../../src/kernel/memberships/moved-members.js';
import { seedEvents } from '../../src/app/demo/seed-events.js';
import { writeSeed } from '../../src/app/demo/write-seed.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
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

const urlOf = ({ project_id, url }: BenchedService, path: string): URL =>
  new URL(`/api/projects/${project_id}/export/${path}`, url);

/** Counts and drops what it reads, unless it goes into a file. */
export const download = async (service: BenchedService, path: string, file?: string): Promise<Download> => {
  const url = urlOf(service, path);
  const started = performance.now();
  const [answer] = (await once(get(url, { headers: headersOf(service) }), 'response')) as [IncomingMessage];
  if (answer.statusCode !== 200) throw new Error(`The service answered ${answer.statusCode}`);
  let lines = 0;
  answer.on('data', (bytes: Buffer) => {
    for (let at = bytes.indexOf(newline); at >= 0; at = bytes.indexOf(newline, at + 1)) lines += 1;
  });
  await (file === undefined ? finished(answer) : pipeline(answer, createWriteStream(file)));
  return { lines, seconds: (performance.now() - started) / 1000 };
};

const newline = 0x0a;

/**
 * Reads as cheaply as psql does, where there is curl: what Node's client needs for each chunk takes the processors from the
 * service.
 */
export const downloadByCurl = async (service: BenchedService, path: string): Promise<Download> => {
  const headers = Object.entries(headersOf(service)).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-o', 'pipefail', '-c', 'curl -sSf "$@" | wc -l', 'bash', ...headers, urlOf(service, path).href];
  const started = performance.now();
  const curl = spawn('bash', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = text(curl.stdout);
  const [code] = (await once(curl, 'close')) as [number | null];
  if (code === commandNotFound) return download(service, path);
  if (code !== 0) throw new Error(`curl ended with ${code}`);
  return { lines: Number(await lines), seconds: (performance.now() - started) / 1000 };
};

const commandNotFound = 127;
