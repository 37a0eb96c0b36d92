import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream/promises';
import { uuidv7 } from 'uuidv7';
import { type MovedMembers } from '../../kernel/memberships/moved-members.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { importRun, type ImportCounts, type ImportRefusal } from './import-run.js';
import { finish } from './jobs/finish.js';
import { leaseOf } from './jobs/job-lease.js';
import { insertJob } from './jobs/import-jobs.repository.js';
import { JobWriter } from './jobs/job-writer.js';
import { stoppedByQuota } from './stopped-by-quota.js';

export interface FileImport {
  readonly id: string;
  readonly counts: ImportCounts;
  readonly rejected: number;
}

interface Stores {
  readonly postgres: Postgres;
  readonly members: MovedMembers;
}

interface Listeners {
  /** Receives the number of bytes of the file that have been read. */
  readonly onRead: (bytes: number) => void;
  readonly onRefused: (refusals: readonly ImportRefusal[]) => void;
}

/**
 * Loads a file of NDJSON, packed with gzip or not, into PostgreSQL, as `POST import` does; the outbox carries the data to
 * ClickHouse. The import is a job, so that its progress can be followed and an interruption loses no record of what was read.
 */
export const importFile = async (
  { postgres, members }: Stores,
  projectId: number,
  path: string,
  now: Date,
  { onRead, onRefused }: Listeners,
): Promise<FileImport> => {
  const counts: ImportCounts = { persons: 0, events: 0, duplicates: 0 };
  const options = { applyPersonProperties: true, createPersons: true };
  const job = { projectId, id: uuidv7() };
  const lease = leaseOf(postgres, job);
  await lease.acquire();
  let rejected = 0;
  try {
    await insertJob(postgres, { ...job, source: 'file', options, userId: null, requestId: null, now });
    const writer = new JobWriter({ postgres, members, lease }, job, now, null);
    for await (const refusals of importRun(bytesOf(path, onRead), options, writer, counts, now)) {
      rejected += refusals.length;
      onRefused(refusals);
    }
    await finish(postgres, lease, job, null, new Date());
  } catch (error) {
    const stopped = stoppedByQuota(error);
    const reason = stopped?.detail ?? 'the command failed; what is counted is stored';
    await finish(postgres, lease, job, reason, new Date()).catch(() => null);
    throw stopped ?? error;
  } finally {
    await lease.release().catch(() => undefined);
  }
  return { id: job.id, counts, rejected };
};

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

/** Checks the content, because the name of a file may be wrong. */
const isGzip = async (path: string): Promise<boolean> => {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
    return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
  } finally {
    await file.close();
  }
};
