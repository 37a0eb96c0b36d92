import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { gzipSync } from 'node:zlib';
import { CommandRefused, UsageError } from '../../src/app/cli/command.js';
import { importCommand } from '../../src/app/cli/commands/import.js';
import { createLogger } from '../../src/platform/telemetry/logger.js';
import { loadConfig } from '../../src/platform/config/config.js';
import { Postgres } from '../../src/platform/postgres/postgres.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let folder: string;

beforeAll(async () => {
  service = await startTestService();
  folder = await mkdtemp(join(tmpdir(), 'kohort-import-'));
});
afterAll(async () => {
  await service.stop();
  await rm(folder, { recursive: true, force: true });
});

const run = (path: string, flags: Record<string, string> = { project: String(service.project.id) }) =>
  importCommand.run({
    get: (type) => Promise.resolve(service.app.get(type)),
    config: loadConfig({ NODE_ENV: 'test' }),
    logger: createLogger({ logLevel: 'silent' }),
    database: {
      postgres: service.app.get(Postgres),
      dataSource: service.app.get(DataSource),
      besideService: true,
      migrated: [],
    },
    flags,
    args: [path],
  });

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

const event = (n: number) =>
  JSON.stringify({
    type: 'event',
    event: 'paid',
    distinct_id: n % 2 === 0 ? 'ada' : 'ben',
    timestamp: '2024-01-02T10:00:00Z',
    uuid: uuid(n),
    properties: { n },
  });

const person = JSON.stringify({ type: 'person', distinct_ids: ['ada', 'ada-2'], properties: { plan: 'pro' } });

const get = async (path: string) =>
  (await service.call('GET', `/api/projects/${service.project.id}/${path}`)).body as {
    count: number;
    results: Record<string, unknown>[];
  };

describe('import of a file', () => {
  it('stores its persons and events, and says which lines it refuses', async () => {
    const path = join(folder, 'some.ndjson');
    await writeFile(path, [person, event(1), '{"type":', event(2), '', '{"type":"cow"}'].join('\n'));
    expect(await run(path)).toEqual({
      project: service.project.id,
      import: expect.any(String),
      ...{ persons: 1, events: 2, duplicates: 0, rejected_count: 2 },
      seconds: expect.any(Number),
      rejected: [
        { line: 3, code: 'parse_error', detail: expect.stringContaining('the line is not a JSON object') },
        { line: 6, code: 'invalid_input', detail: 'type must be "person" or "event"' },
      ],
    });
    expect((await get('events')).count).toBe(2);
    const persons = await get('persons?distinct_id=ada-2');
    expect(persons.results).toMatchObject([{ distinct_ids: ['ada', 'ada-2'], properties: { plan: 'pro' } }]);
    const { results } = await get('activity?scope=Import');
    expect(results[0]).toMatchObject({ activity: 'imported' });
  });

  it('of gzip is the same, whatever its name, and a second run changes nothing', async () => {
    const path = join(folder, 'many');
    await writeFile(path, gzipSync(Array.from({ length: 5000 }, (_, n) => event(n)).join('\n')));
    expect(await run(path)).toMatchObject({ events: 4998, duplicates: 2, rejected_count: 0, rejected: [] });
    expect(await run(path)).toMatchObject({ events: 0, duplicates: 5000 });
    expect((await get('events')).count).toBe(5000);
  });

  it('that has no line of NDJSON ends with an error, and lists its first lines only', async () => {
    const path = join(folder, 'table.csv');
    await writeFile(path, `event,distinct_id\n${'paid,ada\n'.repeat(9)}`);
    const lines = [1, 2, 3].map((line) => expect.objectContaining({ line }));
    try {
      expect(await run(path)).toMatchObject({ persons: 0, events: 0, rejected_count: 10, rejected: lines });
      expect(process.exitCode).toBe(1);
    } finally {
      process.exitCode = undefined;
    }
  });

  it('refuses what is no file, what is cut off, and a project that it cannot know', async () => {
    const path = join(folder, 'cut.gz');
    await writeFile(path, gzipSync(Array.from({ length: 1000 }, (_, n) => event(n)).join('\n')));
    await truncate(path, 1000);
    await expect(run(path)).rejects.toThrow(
      new CommandRefused(`${path} is not complete gzip data; what was read is stored`),
    );
    await expect(run(join(folder, 'absent'))).rejects.toThrow(/absent cannot be read \(ENOENT\)/);
    await expect(run(folder)).rejects.toThrow(/is not a file/);
    await expect(run(path, { project: '999' })).rejects.toThrow(UsageError);
  });
});
