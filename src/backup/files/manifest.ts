import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type CopiedTable } from '../../stores/postgres/copy-table.js';
import { BackupKey } from './backup-key.js';

/** One file with rows of a table, packed and perhaps encrypted. */
export interface Part {
  readonly file: string;
  /** The size of the file. */
  readonly size: number;
  readonly sha256: string;
  /** The size of the rows before they were packed. */
  readonly bytes: number;
  /** The digest of the rows before they were packed. */
  readonly content: string;
}

export interface BackedUpTable extends CopiedTable {
  readonly rows: number;
  /** Together, in this order, COPY's binary stream. */
  readonly parts: readonly Part[];
}

export interface Manifest {
  readonly format: number;
  readonly version: string;
  readonly startedAt: string;
  readonly finishedAt: string;
  /** The migrations of the database, in the order they ran. */
  readonly migrations: readonly string[];
  readonly encryption: { readonly cipher: 'aes-256-gcm'; readonly keyCheck: string } | null;
  /** The seal of the backup whose files this one shares where rows are equal. */
  readonly previous: string | null;
  readonly tables: readonly BackedUpTable[];
  readonly sequences: readonly { readonly name: string; readonly value: string }[];
}

/** The backup cannot be used; the message is one line for the operator. */
export class BackupFault extends Error {}

export const manifestFile = 'manifest.json';
export const formatVersion = 1;

/** The seal is of the text, and the text has the order of the keys as they were written. */
export const writtenManifest = (
  manifest: Manifest,
  key: BackupKey,
): { readonly text: string; readonly seal: string } => {
  const seal = key.seal(JSON.stringify(manifest));
  return { text: `${JSON.stringify({ manifest, seal }, null, 1)}\n`, seal };
};

export interface ReadBackup {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly seal: string;
  readonly key: BackupKey;
}

export const readManifest = async (folder: string, keyBytes: Buffer | null): Promise<ReadBackup> => {
  const text = await readFile(join(folder, manifestFile), 'utf8').catch(({ code }: NodeJS.ErrnoException) => {
    throw new BackupFault(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${folder} is not a complete backup, because it has no ${manifestFile}: name another folder`
        : `${join(folder, manifestFile)} cannot be read (${code})`,
    );
  });
  const { manifest, seal } = parsed(folder, text);
  if (manifest.format !== formatVersion)
    throw new BackupFault(
      `${folder} has format ${manifest.format} and this release reads format ${formatVersion}: use the release that made it, or a newer one`,
    );
  const key = keyOf(folder, manifest, keyBytes);
  if (key.seal(JSON.stringify(manifest)) !== seal) throw damaged(folder, manifestFile);
  return { folder, manifest, seal, key };
};

const damaged = (folder: string, file: string): BackupFault =>
  new BackupFault(`${folder} is damaged, because ${file} is not as it was written: use another backup`);

const parsed = (folder: string, text: string): { manifest: Manifest; seal: string } => {
  try {
    const { manifest, seal } = JSON.parse(text) as { manifest?: Manifest; seal?: string };
    if (typeof manifest === 'object' && typeof seal === 'string') return { manifest, seal };
  } catch {
    // Is refused below.
  }
  throw damaged(folder, manifestFile);
};

const keyOf = (folder: string, { encryption }: Manifest, bytes: Buffer | null): BackupKey => {
  if (!encryption) return new BackupKey(null);
  if (!bytes) throw new BackupFault(`${folder} is encrypted: set BACKUP_KEY to the key with which it was made`);
  const key = new BackupKey(bytes);
  if (key.check !== encryption.keyCheck)
    throw new BackupFault(`${folder} was encrypted with another key: set BACKUP_KEY to the key with which it was made`);
  return key;
};

/** Reads all files once, and throws when one is missing or is not as it was written. */
export const checkFiles = async ({ folder, manifest }: ReadBackup): Promise<void> => {
  for (const { parts } of manifest.tables) {
    for (const { file, size, sha256 } of parts) {
      const status = await stat(join(folder, file)).catch(() => null);
      if (!status) throw new BackupFault(`${folder} is damaged, because ${file} is missing: use another backup`);
      const hash = createHash('sha256');
      await pipeline(createReadStream(join(folder, file)), hash);
      if (status.size !== size || hash.digest('hex') !== sha256) throw damaged(folder, file);
    }
  }
};
