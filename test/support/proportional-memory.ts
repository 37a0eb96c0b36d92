import { readFile } from 'node:fs/promises';
import { processesIn, type RunningProcess } from './process.js';

/** The megabytes of all processes of a service with embedded stores. Memory that several of them share counts once. */
export const proportionalMemory = async (service: RunningProcess, dataDir: string): Promise<number> => {
  const pids = [service.pid, ...(await processesIn(dataDir))];
  const sizes = await Promise.all(pids.map(pssOf));
  return sizes.reduce((sum, size) => sum + size, 0) / 1024;
};

const pssOf = async (pid: number): Promise<number> => {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
};
