import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { gunzipSync } from 'node:zlib';
import { KeysService } from '../../src/auth/keys/keys.service.js';
import { csvRecords } from '../../src/app/cli/service-export.js';
import { CommandRefused, UsageError } from '../../src/app/cli/command.js';
import { exportEvents, exportPersons } from '../../src/app/cli/commands/export.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { type Chunk } from '../../src/exports/files/chunk.js';
import { exportFile, numberedFile } from '../../src/exports/files/export-file.js';
import { Projection } from '../../src/kernel/projection/projection.js';
import { ClickHouse } from '../../src/platform/clickhouse/client.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { linesOf, readParquet } from '../support/exports.js';
import { importLines, personLine } from '../support/import.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let folder: string;

const event = (n: number) => ({
  type: 'event',
  event: 'paid',
  distinct_id: n % 2 === 0 ? 'ada' : 'ben',
  timestamp: `2024-01-0${n}T10:00:00.000Z`,
  uuid: `00000000-0000-4000-8000-00000000000${n}`,
  properties: { n },
});

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'kohort-export-'));
  await importLines(service, service.project.id, [
    personLine(['ada', 'ada-2'], { plan: 'pro' }),
    ...[1, 2, 3, 4].map(event),
  ]);
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (command: typeof exportEvents, name: string, flags: Record<string, string> = {}, port = '1') =>
  command.run({
    get: (type) => Promise.resolve(service.app.get(type)),
    config: loadConfig({ NODE_ENV: 'test', PORT: port }),
    logger: createLogger({ logLevel: 'silent' }),
    database: {
      postgres: service.app.get(Postgres),
      dataSource: service.app.get(DataSource),
      besideService: true,
      migrated: [],
    },
    flags: { project: String(service.project.id), ...flags },
    args: [join(folder, name)],
  });

describe('export into a file', () => {
  it('writes what the route sends, packed when the name says so', async () => {
    const path = join(folder, 'events.ndjson.gz');
    expect(
      await run(exportEvents, 'events.ndjson.gz', { after: '2024-01-01T10:00:00Z', before: '2024-01-04' }),
    ).toEqual({
      project: service.project.id,
      events: 2,
      format: 'ndjson',
      files: [path],
      seconds: expect.any(Number),
    });
    expect(linesOf(gunzipSync(await readFile(path))).map(({ uuid }) => uuid)).toEqual([event(2).uuid, event(3).uuid]);
    expect(await run(exportPersons, 'persons.ndjson')).toMatchObject({ persons: 2 });
    const persons = linesOf(await readFile(join(folder, 'persons.ndjson')));
    expect(persons.map(({ distinct_ids }) => distinct_ids)).toEqual([['ada', 'ada-2'], ['ben']]);
    const { body } = await service.call('GET', `/api/projects/${service.project.id}/activity?scope=Export`);
    expect((body as { results: { item_id: string }[] }).results.map(({ item_id }) => item_id)).toEqual([
      'export/persons',
      'export/events',
    ]);
  });

  it('refuses what it cannot do, with the reason', async () => {
    await writeFile(join(folder, 'there.ndjson'), 'kept');
    await expect(run(exportEvents, 'there.ndjson')).rejects.toThrow(/there.ndjson exists already: name another file/);
    expect(await readFile(join(folder, 'there.ndjson'), 'utf8')).toBe('kept');
    await expect(run(exportEvents, 'a.csv')).rejects.toThrow(/no service answers on .*:1: start it first/);
    await expect(run(exportEvents, 'a.xlsx')).rejects.toThrow(/a.xlsx is no format: --format must be one of ndjson/);
    await expect(run(exportEvents, 'a', { format: 'xml' })).rejects.toThrow(UsageError);
    await expect(run(exportEvents, 'a', { after: 'today' })).rejects.toThrow(/--after must be an ISO 8601 date/);
    await expect(run(exportEvents, 'a.parquet.gz')).rejects.toThrow(/Parquet is packed already/);
    const absent = run(exportEvents, 'absent/a.ndjson');
    await expect(absent).rejects.toThrow(CommandRefused);
    await expect(absent).rejects.toThrow(/absent\/a.ndjson cannot be written, because its folder does not exist/);
  });

  it('takes CSV and Parquet from the running service, and leaves no key behind', async () => {
    const { port } = new URL(service.url);
    const exported = (command: typeof exportEvents, name: string, flags = {}) => run(command, name, flags, port);
    const csv = join(folder, 'some.csv.gz');
    const part = { after: '2024-01-01T10:00:00Z', before: '2024-01-04' };
    expect(await exported(exportEvents, 'some.csv.gz', part)).toMatchObject({ events: 2, format: 'csv', files: [csv] });
    const lines = gunzipSync(await readFile(csv))
      .toString()
      .trimEnd()
      .split('\n');
    expect(lines.map((line) => line.slice(0, 38))).toEqual([
      expect.stringMatching(/^"uuid",/),
      `"${event(2).uuid}"`,
      `"${event(3).uuid}"`,
    ]);
    const parquet = join(folder, 'all.parquet');
    const result = await exported(exportPersons, 'all.parquet');
    expect(result).toEqual({
      project: service.project.id,
      format: 'parquet',
      files: [parquet],
      seconds: expect.any(Number),
    });
    expect(await readParquet(await readFile(parquet))).toHaveLength(2);
    const labels = (await service.app.get(KeysService).all()).map(({ label }) => label);
    expect(labels.filter((label) => label.includes('export'))).toEqual([]);
  });

  it('counts the records of a CSV, wherever its parts end', () => {
    const bytes = Buffer.from('"a","b"\r\n"1","a ""quoted""\nline"\r\n"2",""\r\n');
    for (let at = 0; at <= bytes.length; at += 1) {
      const count = csvRecords();
      count(bytes.subarray(0, at));
      expect([at, count(bytes.subarray(at))]).toEqual([at, 2]);
    }
  });

  it('writes CSV and Parquet where ClickHouse is at hand', async () => {
    const stores = { postgres: service.app.get(Postgres), clickhouse: service.app.get(ClickHouse) };
    const walk = { projectId: service.project.id, after: null, before: null, cursor: null, limit: null };
    await service.app.get(Projection).waitUntilFresh(service.project.id, new Date());
    const path = join(folder, 'events.parquet');
    const seen: number[] = [];
    const onWritten = (records: number) => seen.push(records);
    expect(await exportFile(stores, 'events', 'parquet', walk, path, onWritten)).toEqual({ records: 4, files: [path] });
    expect(seen).toEqual([4]);
    expect((await readParquet(await readFile(path))).map(({ uuid }) => uuid)).toEqual(
      [1, 2, 3, 4].map((n) => event(n).uuid),
    );
    const csv = join(folder, 'persons.csv');
    await exportFile(stores, 'persons', 'csv', walk, csv, onWritten);
    expect((await readFile(csv, 'utf8')).split('\n')).toHaveLength(4);
  });

  it('leaves no half a file behind', async () => {
    const postgres = { transaction: () => Promise.reject(new Error('gone')) } as unknown as Postgres;
    const walk = { projectId: service.project.id, after: null, before: null, cursor: null, limit: null };
    const path = join(folder, 'half.ndjson');
    await expect(
      exportFile({ postgres, clickhouse: null }, 'events', 'ndjson', walk, path, (_: Chunk['records']) => undefined),
    ).rejects.toThrow('gone');
    expect((await readdir(folder)).filter((name) => name.startsWith('half'))).toEqual([]);
  });

  it('numbers the files of a large export', () => {
    expect([1, 2, 10].map((number) => numberedFile('/a/events.parquet', number))).toEqual([
      '/a/events.parquet',
      '/a/events-2.parquet',
      '/a/events-10.parquet',
    ]);
  });
});
