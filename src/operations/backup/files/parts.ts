import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { sha256Of } from '../../../platform/objects/object-store.js';
import { type Draft } from '../destinations/destination.js';
import { type BackupKey } from './backup-key.js';
import { decrypted, encrypted } from './encryption.js';
import { type Part, type ReadBackup, damaged, partsOfBackup } from './manifest.js';

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** Writes the parts of a backup. A part with equal rows is taken from the earlier backup instead. */
export class PartWriter {
  shared = 0;
  private readonly known: ReadonlyMap<string, Part>;

  constructor(
    private readonly draft: Draft,
    private readonly key: BackupKey,
    previous: ReadBackup | null,
    private readonly assertContinuing: () => void = () => undefined,
  ) {
    const parts = previous === null ? [] : partsOfBackup(previous.manifest);
    this.known = new Map(parts.map((part) => [part.content, part]));
  }

  async write(name: string, rows: Buffer): Promise<Part> {
    this.assertContinuing();
    const content = await this.key.contentOf(rows);
    const file = `${name}.gz${this.key.isThere ? '.enc' : ''}`;
    const earlier = this.known.get(content);
    const taken = earlier && (await this.draft.take(earlier, file));
    if (taken) {
      this.shared += 1;
      return { ...earlier, ...taken, file };
    }
    const packed = await pack(rows, { level: 3 });
    const bytes = this.key.isThere ? encrypted(packed, this.key) : packed;
    const stored = await this.draft.write(file, bytes);
    return { file, size: bytes.length, sha256: sha256Of(bytes), bytes: rows.length, content, ...stored };
  }
}

const pieceBytes = 256 * 1024;

/** The rows of a table, in pieces that a connection can send. One part is in memory at a time. */
export const rowsOf = async function* (
  { destination, key }: Pick<ReadBackup, 'destination' | 'key'>,
  parts: readonly Part[],
): AsyncGenerator<Buffer> {
  for (const { file, size, bytes, content } of parts) {
    const stored = await destination.read(file, size);
    if (!stored) throw new Error(`${file} is missing`);
    const packed = key.isThere ? decrypted(stored, key) : stored;
    const rows = await unpack(packed, { maxOutputLength: Math.max(1, bytes) }).catch(() => null);
    if (rows === null || (await key.contentOf(rows)) !== content) throw damaged(destination.name, file);
    for (let at = 0; at < rows.length; at += pieceBytes) yield rows.subarray(at, at + pieceBytes);
  }
};
