import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { entriesIn } from '../../../objects/durable-files.js';
import { StorageFault } from '../../../objects/object-store.js';
import { basesFolder, walFolder, type WalArchive } from './archive.js';

/** A copy of the cluster's folder, from which a recovery replays the log. */
export interface BaseBackup {
  readonly folder: string;
  readonly finishedAt: Date;
  /** The number of the history of the log to which the copy belongs: each recovery starts a new one. */
  readonly timeline: number;
  /** The first file of the log that a recovery needs. */
  readonly startFile: string;
  readonly stopLsn: bigint;
}

export const baseFile = 'base.json';

/** The complete base backups, the newest first. */
export const baseBackups = async (archive: string): Promise<BaseBackup[]> => {
  const entries = await entriesIn(basesFolder(archive));
  const bases = await Promise.all(entries.map(({ name }) => readBase(join(basesFolder(archive), name))));
  return bases.filter((base) => base !== null).sort((one, other) => Number(other.finishedAt) - Number(one.finishedAt));
};

const readBase = async (folder: string): Promise<BaseBackup | null> => {
  const text = await readFile(join(folder, baseFile), 'utf8').catch((error: NodeJS.ErrnoException) => {
    // This file is written last: without it, the backup was not finished.
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (text === null) return null;
  try {
    const { finished_at, timeline, start_file, stop_lsn } = JSON.parse(text) as Record<string, string>;
    const finishedAt = new Date(String(finished_at));
    if (Number.isNaN(Number(finishedAt)) || !/^[0-9A-F]{24}$/.test(String(start_file))) throw new Error('no base');
    return {
      ...{ folder, finishedAt, startFile: String(start_file) },
      ...{ timeline: Number(timeline), stopLsn: BigInt(String(stop_lsn)) },
    };
  } catch (error) {
    const message = `${join(folder, baseFile)} is damaged: remove ${folder}, or bring the file back`;
    throw new StorageFault(message, { cause: error });
  }
};

export const baseJson = ({ finishedAt, timeline, startFile, stopLsn }: Omit<BaseBackup, 'folder'>): string =>
  `${JSON.stringify({ finished_at: finishedAt.toISOString(), timeline, start_file: startFile, stop_lsn: String(stopLsn) })}\n`;

/** A position in the log, such as `0/2000028`, as a number. */
export const lsnOf = (text: string): bigint => {
  const [high = '0', low = '0'] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
};

const dayMs = 86_400_000;

/**
 * Selects the base backups that no recovery within the retention needs: a recovery starts from the newest one before its
 * moment.
 */
export const expiredBases = (newestFirst: readonly BaseBackup[], days: number, now: Date): readonly BaseBackup[] => {
  const start = Number(now) - days * dayMs;
  const last = newestFirst.findIndex(({ finishedAt }) => Number(finishedAt) <= start);
  return last === -1 ? [] : newestFirst.slice(last + 1);
};

/** The name of a file of the log without its timeline, so that files of several timelines can be compared. */
const position = (file: string): string => file.slice(8, 24);

/** True if a recovery from this or a later base backup may read the file of the log. */
export const isNeeded = (file: string, { startFile }: BaseBackup): boolean =>
  !/^[0-9A-F]{24}/.test(file) || position(file) >= position(startFile);

/** Removes base backups that are no longer needed, and the log before the oldest one that is kept. */
export const prune = async ({ folder, days }: WalArchive, now: Date): Promise<void> => {
  const bases = await baseBackups(folder);
  const expired = expiredBases(bases, days, now);
  for (const base of expired) {
    await rm(join(base.folder, baseFile), { force: true });
    await rm(base.folder, { recursive: true, force: true });
  }
  const oldest = bases.filter((base) => !expired.includes(base)).at(-1);
  if (!oldest) return;
  for (const file of await readdir(walFolder(folder)))
    if (!isNeeded(file, oldest)) await rm(join(walFolder(folder), file), { force: true });
};

/** The newest timeline of the archive, and the positions at which its history left each of the older ones. */
const historyOf = async (archive: string): Promise<{ latest: number; leftAt: ReadonlyMap<number, bigint> }> => {
  const files = await readdir(walFolder(archive));
  const latest = Math.max(
    1,
    ...files.filter((file) => /^[0-9A-F]{8}\.history\.gz$/.test(file)).map((file) => Number.parseInt(file, 16)),
  );
  const leftAt = new Map<number, bigint>();
  if (latest === 1) return { latest, leftAt };
  const name = `${latest.toString(16).toUpperCase().padStart(8, '0')}.history.gz`;
  const path = join(walFolder(archive), name);
  const text = historyIn(path, await readFile(path));
  for (const line of text.split('\n')) {
    const [, timeline, lsn] = /^(\d{1,10})\t([0-9A-F]{1,8}\/[0-9A-F]{1,8})\s/.exec(line) ?? [];
    if (timeline && lsn) leftAt.set(Number(timeline), lsnOf(lsn));
  }
  return { latest, leftAt };
};

/** Far more than enough: the history has one line for each recovery. */
const maxHistoryBytes = 1024 ** 2;

const historyIn = (path: string, packed: Buffer): string => {
  try {
    return gunzipSync(packed, { maxOutputLength: maxHistoryBytes }).toString();
  } catch (error) {
    throw new StorageFault(`${path} is damaged: bring the file back`, { cause: error });
  }
};

/** The newest base backup that was finished at that moment, and from which the newest timeline can be reached. */
export const baseFor = async (archive: string, until: Date | null): Promise<BaseBackup | undefined> => {
  const newestFirst = await baseBackups(archive);
  if (newestFirst.length === 0) return undefined;
  const { latest, leftAt } = await historyOf(archive);
  return newestFirst.find(
    ({ finishedAt, timeline, stopLsn }) =>
      (until === null || finishedAt <= until) && (timeline === latest || (leftAt.get(timeline) ?? 0n) >= stopLsn),
  );
};
