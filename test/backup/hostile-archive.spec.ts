import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArchiveWriter } from '../../src/kernel/event-log/compression/archive-writer.js';
import { archivedParts, nameOf } from '../../src/kernel/projection/blocks/archived-rows.js';
import { ArchiveUnavailable, eventArchive, useEventArchive } from '../../src/platform/objects/event-archive.js';
import { FolderObjects } from '../../src/platform/objects/folder-objects.js';

/** Files of EVENT_ARCHIVE that somebody has exchanged: each is a 503 with one line for the operator, not a fault of the service. */
let folder: string;
let honest: Buffer;
let made = 0;

const written = async (properties: string): Promise<Buffer> => {
  const writer = new ArchiveWriter();
  const [timestamp, received_at] = [new Date(), new Date()];
  const uuid = '0194e2c0-0000-7000-8000-000000000001';
  await writer.add([{ uuid, event: 'seen', distinct_id: 'ada', timestamp, received_at, properties }]);
  return Buffer.from((await writer.finish()).bytes);
};

const read = async (bytes: Buffer): Promise<unknown> => {
  const file = { projectId: 1, day: '2026-11-28', id: `file-${(made += 1)}`, bytes: bytes.length };
  await eventArchive().write(nameOf(file), bytes);
  const events: unknown[] = [];
  for await (const part of archivedParts(file)) events.push(...part);
  return events;
};

const refusal = (bytes: Buffer): Promise<unknown> =>
  read(bytes).then(
    (events) => events,
    (error: unknown) => error,
  );

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kohort-archive-'));
  useEventArchive(new FolderObjects(folder));
  honest = await written('{"a":1}');
});
afterAll(async () => {
  useEventArchive(null);
  await rm(folder, { recursive: true, force: true });
});

describe('a file of the archive', () => {
  it('is read when it is as it was written', async () => {
    expect(await read(honest)).toEqual([expect.objectContaining({ properties: '{"a":1}' })]);
  });

  it('is refused when it is nothing of the kind, ends too early or says that it is longer', async () => {
    const changed = (at: number, value: number): Buffer => {
      const bytes = Buffer.from(honest);
      bytes.writeUInt32LE(value, bytes.length + at);
      return bytes;
    };
    const files: Record<string, Buffer> = {
      empty: Buffer.alloc(0),
      zeros: Buffer.alloc(10_000),
      text: Buffer.from('<Error>'.repeat(100)),
      'too short': honest.subarray(0, honest.length - 20),
      'a foot of 4 GB': changed(-8, 0xffff_ffff),
      'a foot that begins before the file': changed(-8, honest.length + 1),
      'a foot of nothing': changed(-8, 0),
      'another format': changed(-4, 0),
    };
    for (const [name, bytes] of Object.entries(files))
      expect([name, await refusal(bytes)]).toEqual([name, expect.any(ArchiveUnavailable)]);
  });

  it('is refused, or read, whichever byte of it has changed', async () => {
    const before = process.memoryUsage().rss;
    for (let at = 0; at < honest.length; at += 17) {
      const bytes = Buffer.from(honest);
      bytes[at] = (bytes[at] ?? 0) ^ 0xff;
      const result = await refusal(bytes);
      expect([at, Array.isArray(result) || result instanceof ArchiveUnavailable, result]).toEqual([at, true, result]);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
  });

  it('is refused when it unpacks to more than a part has', async () => {
    const bomb = await written(`"${' '.repeat(70 * 1024 ** 2)}"`);
    expect(bomb.length).toBeLessThan(2 * 1024 ** 2);
    expect(await refusal(bomb)).toEqual(expect.any(ArchiveUnavailable));
  });
});
