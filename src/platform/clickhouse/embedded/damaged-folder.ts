import { readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { engineCode } from '../errors.js';

/** Moves a damaged folder away, and returns its new name. Nothing in it exists there alone. */
export const setAside = async (folder: string): Promise<string> => {
  const aside = `${folder}.damaged`;
  await rm(aside, { recursive: true, force: true });
  await rename(folder, aside);
  return aside;
};

/** True if another process has the folder open, which is then not damaged. Known on Linux only. */
export const isHeld = async (folder: string): Promise<boolean> => {
  const status = await stat(join(folder, 'status')).catch(() => null);
  if (!status) return false;
  const locks = await readFile('/proc/locks', 'utf8').catch(() => null);
  return locks === null || locks.split('\n').some((line) => line.includes(`:${status.ino} `));
};

/** The engine's codes for files that have other bytes than it wrote, or that are gone. */
const damageCodes = new Set(['32', '33', '40', '76', '107', '117', '226', '231', '246', '271', '432']);

export const isDamage = (error: unknown): boolean => damageCodes.has(engineCode(error) ?? '');
