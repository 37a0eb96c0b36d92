import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Returns the JSON value of a file that only this account may read; null when there is no such file. */
export const readPrivate = async <T>(file: string, complete: (value: Partial<T>) => T | null): Promise<T | null> => {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (text === null) return null;
  const value = parse(text);
  const checked = value && complete(value);
  if (!checked) throw new Error(`${file} is damaged: restore it from the backup of DATA_DIR`);
  return checked;
};

const parse = (text: string): object | null => {
  try {
    return JSON.parse(text) as object | null;
  } catch {
    return null;
  }
};

/** The file is on disk before this returns: a cluster whose password is lost cannot be opened. */
export const writePrivate = async (file: string, value: object): Promise<void> => {
  const draft = await open(`${file}.draft`, 'w', 0o600);
  try {
    await draft.chmod(0o600);
    await draft.writeFile(`${JSON.stringify(value)}\n`);
    await draft.sync();
  } finally {
    await draft.close();
  }
  await rename(`${file}.draft`, file);
  await syncPath(dirname(file));
};

/** A file or a folder. */
export const syncPath = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
