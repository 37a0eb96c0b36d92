import { open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Waits until a file or a folder is on the disk. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Gives a file or a folder its name only after it is on the disk. */
export const publish = async (draft: string, path: string): Promise<void> => {
  await syncPath(draft);
  await rename(draft, path);
  await syncPath(dirname(path));
};

export const draftOf = (path: string): string => `${path}.draft`;

export const writeDurably = async (path: string, bytes: Uint8Array | string): Promise<void> => {
  const draft = draftOf(path);
  // An old draft is removed, because the mode is set only for a new file.
  await rm(draft, { force: true });
  await writeFile(draft, bytes, { mode: 0o600 });
  await publish(draft, path);
};

/** Writes a file of a folder that is not published yet. */
export const writeNew = (path: string, bytes: Uint8Array | string): Promise<void> =>
  writeFile(path, bytes, { mode: 0o600, flag: 'wx', flush: true });

/** The entries of a folder; empty if it does not exist. */
export const entriesIn = async (folder: string) =>
  readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
