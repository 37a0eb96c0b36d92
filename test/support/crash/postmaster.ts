import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Kills the embedded PostgreSQL of a folder. False where there is none, because the last kill was a moment ago. */
export const killPostmaster = async (dataDir: string): Promise<boolean> => {
  const file = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(file.split('\n')[0]);
  try {
    return pid > 1 && process.kill(pid, 'SIGKILL');
  } catch {
    return false;
  }
};
