import { readFile } from 'node:fs/promises';

const everyMs = 100;

/** How much the memory of a process grows at most, beyond what it was at the beginning. Linux only. */
export class ResidentMemory {
  private highest: number;

  private constructor(
    private readonly pid: number,
    private readonly before: number,
  ) {
    this.highest = before;
  }

  static async of(pid: number): Promise<ResidentMemory> {
    return new ResidentMemory(pid, await residentMiB(pid));
  }

  get growthMiB(): number {
    return this.highest - this.before;
  }

  async watch<T>(work: () => Promise<T>): Promise<T> {
    const look = async () => {
      this.highest = Math.max(this.highest, await residentMiB(this.pid));
    };
    const timer = setInterval(() => void look(), everyMs);
    try {
      return await work();
    } finally {
      clearInterval(timer);
      await look();
    }
  }
}

export const residentMiB = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};
