import { createHash } from 'node:crypto';
import { constants, type PathLike } from 'node:fs';
import { copyFile, link, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { type BackupKey } from './backup-key.js';
import { decrypted, encrypted } from './encryption.js';
import { type Part, type ReadBackup } from './manifest.js';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** A file that is on the disk, not only in memory, when the promise resolves. */
export const writeDurably = async (path: PathLike, bytes: Buffer | string): Promise<void> => {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
};

/** Writes parts into a folder, and takes those that an earlier backup has with equal rows from there. */
export class PartWriter {
  shared = 0;
  private readonly known: ReadonlyMap<string, Part>;

  constructor(
    private readonly folder: string,
    private readonly key: BackupKey,
    private readonly previous: ReadBackup | null,
  ) {
    const parts = previous?.manifest.tables.flatMap(({ parts }) => parts) ?? [];
    this.known = new Map(parts.map((part) => [part.content, part]));
  }

  async write(name: string, rows: Buffer): Promise<Part> {
    const content = this.key.contentOf(rows);
    const file = `${name}.gz${this.key.isThere ? '.enc' : ''}`;
    const earlier = this.known.get(content);
    if (earlier && (await this.take(earlier, file))) {
      this.shared += 1;
      return { ...earlier, file };
    }
    const packed = await pack(rows, { level: 3 });
    const stored = this.key.isThere ? encrypted(packed, this.key) : packed;
    await writeDurably(join(this.folder, file), stored);
    const sha256 = createHash('sha256').update(stored).digest('hex');
    return { file, size: stored.length, sha256, bytes: rows.length, content };
  }

  /** A second name for the same bytes, or a copy on another disk. Bytes that have changed since are not taken. */
  private async take({ file: earlier, sha256, size }: Part, file: string): Promise<boolean> {
    const from = join(this.previous?.folder ?? '', earlier);
    const bytes = await readFile(from).catch(() => null);
    if (bytes?.length !== size || createHash('sha256').update(bytes).digest('hex') !== sha256) return false;
    const to = join(this.folder, file);
    await link(from, to).catch(() => copyFile(from, to, constants.COPYFILE_EXCL));
    return true;
  }
}

const pieceBytes = 256 * 1024;

/** The rows of a table, in pieces that a connection can send. One part is in memory at a time. */
export const rowsOf = async function* (
  { folder, key }: Pick<ReadBackup, 'folder' | 'key'>,
  parts: readonly Part[],
): AsyncGenerator<Buffer> {
  for (const { file, bytes, content } of parts) {
    const stored = await readFile(join(folder, file));
    const packed = key.isThere ? decrypted(stored, key) : stored;
    const rows = await unpack(packed, { maxOutputLength: Math.max(1, bytes) });
    if (key.contentOf(rows) !== content) throw new Error(`${file} has other rows than the manifest says`);
    for (let at = 0; at < rows.length; at += pieceBytes) yield rows.subarray(at, at + pieceBytes);
  }
};
