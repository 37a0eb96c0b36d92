import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** A file or a folder. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** A file or a folder has its name only when it is complete and on the disk. */
export const publish = async (draft: string, path: string): Promise<void> => {
  await syncPath(draft);
  await rename(draft, path);
  await syncPath(dirname(path));
};

export const draftOf = (path: string): string => `${path}.draft`;

export const writeDurably = async (path: string, bytes: Uint8Array | string): Promise<void> => {
  const draft = draftOf(path);
  // The mode is that of a new file only.
  await rm(draft, { force: true });
  await writeFile(draft, bytes, { mode: 0o600 });
  await publish(draft, path);
};

/** A file that is part of a folder which is not published yet. */
export const writeNew = (path: string, bytes: Uint8Array | string): Promise<void> =>
  writeFile(path, bytes, { mode: 0o600, flag: 'wx', flush: true });

/** Lists a folder; empty when it is not there. */
export const entriesIn = async (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
