import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { uuidv7 } from 'uuidv7';
import { importPersons } from '../../persons/identity/import-persons.js';
import { type MemberMoves } from '../../persons/member-moves.js';
import { type Postgres } from '../../stores/postgres/postgres.js';
import { writeEvents } from '../ingest/event-log.js';
import { recordImport } from './import-activity.js';
import { importRun, type ImportCounts, type ImportRefusal, type ImportWriter } from './import-run.js';

export interface FileImport {
  readonly counts: ImportCounts;
  readonly rejected: number;
}

interface Stores {
  readonly postgres: Postgres;
  readonly members: MemberMoves;
}

interface Listeners {
  /** Receives the number of bytes of the file that have been read. */
  readonly onRead: (bytes: number) => void;
  readonly onRefused: (refusals: readonly ImportRefusal[]) => void;
}

/** Loads a file of NDJSON as `POST import` does, gzip or not, into PostgreSQL; the outbox brings it to ClickHouse. */
export const importFile = async (
  stores: Stores,
  projectId: number,
  path: string,
  now: Date,
  { onRead, onRefused }: Listeners,
): Promise<FileImport> => {
  const counts: ImportCounts = { persons: 0, events: 0, duplicates: 0 };
  const options = { applyPersonProperties: true, createPersons: true };
  let rejected = 0;
  try {
    const bytes = bytesOf(path, onRead);
    for await (const refusals of importRun(bytes, options, writer(stores, projectId, now), counts, now)) {
      rejected += refusals.length;
      onRefused(refusals);
    }
  } finally {
    const author = { userId: null, requestId: null, now, importId: uuidv7() };
    await recordImport(stores.postgres, { id: projectId }, { ...counts, rejected }, author);
  }
  return { counts, rejected };
};

const writer = ({ postgres, members }: Stores, projectId: number, now: Date): ImportWriter => ({
  writePersons: (persons) =>
    postgres.transaction((client) => importPersons(client, projectId, persons, now, members), { repeat: true }),
  writeEvents: async (events, receivedAt) => {
    if (events.length === 0) return { accepted: 0, duplicates: 0 };
    const accepted = await postgres.transaction(
      (client) => writeEvents(client, projectId, events, receivedAt, members),
      {
        repeat: true,
      },
    );
    return { accepted, duplicates: events.length - accepted };
  },
});

async function* bytesOf(path: string, onRead: (bytes: number) => void): AsyncGenerator<Buffer> {
  const counted = async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let read = 0;
    for await (const bytes of source) {
      read += bytes.length;
      onRead(read);
      yield bytes;
    }
  };
  const file = createReadStream(path);
  if (!(await isGzip(path))) {
    yield* counted(file);
    return;
  }
  const gunzip = createGunzip();
  const feeding = pipeline(file, counted, gunzip);
  feeding.catch(() => undefined);
  yield* gunzip as AsyncIterable<Buffer>;
  await feeding;
}

/** Looks at the content, because the name of a file may promise anything. */
const isGzip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
};
