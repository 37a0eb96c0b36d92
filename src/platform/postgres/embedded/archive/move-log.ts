import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { publish } from '../../../objects/durable-files.js';
import { type Cluster } from '../cluster.js';
import { spoolFolder, walFolder } from './archive.js';

/**
 * Moves the log from the spool to the archive, compressed: a file of 16 MB that ends after a minute is mostly zeros. The service
 * and a command may do this at the same moment, with the same result.
 */
export const moveLog = async (cluster: Cluster, archive: string, signal?: AbortSignal): Promise<void> => {
  const [spool, folder] = [spoolFolder(cluster), walFolder(archive)];
  // A file with such a name is complete: PostgreSQL names it only then.
  const files = (await readdir(spool)).filter((file) => /^[0-9A-F]{8}(?:[0-9A-F]{16}|\.)/.test(file)).sort();
  for (const file of files) {
    const draft = join(folder, `${file}.${randomUUID()}.draft`);
    try {
      const [source, target] = [createReadStream(join(spool, file)), createWriteStream(draft, { mode: 0o600 })];
      await pipeline(source, createGzip({ level: constants.Z_BEST_SPEED }), target, { signal });
      await publish(draft, join(folder, `${file}.gz`));
      await rm(join(spool, file), { force: true });
    } catch (error) {
      // If the folder cannot be reached, the operator needs the first error, and not that of the removal.
      await rm(draft, { force: true }).catch(() => undefined);
      const { code, path } = error as NodeJS.ErrnoException;
      const isMovedAlready = code === 'ENOENT' && path === join(spool, file);
      if (!isMovedAlready) throw error;
    }
  }
};
