import { readFile } from 'node:fs/promises';
import { writeDurably } from '../../objects/durable-files.js';

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
export const writePrivate = (file: string, value: object): Promise<void> =>
  writeDurably(file, `${JSON.stringify(value)}\n`);
