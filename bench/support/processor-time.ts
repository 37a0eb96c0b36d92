import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const tickMicroseconds = 10_000;

/** The processor time that a process has spent in some work, with all of its threads. Other load of the machine does not count. */
export class ProcessorTime {
  microseconds = 0;

  private constructor(private readonly pid: number) {}

  static of(pid: number): ProcessorTime {
    return new ProcessorTime(pid);
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    const before = ticks(this.pid);
    const result = await work();
    this.microseconds += (ticks(this.pid) - before) * tickMicroseconds;
    return result;
  }
}

/** The name of the program, which is in front of the numbers, may contain spaces. */
const ticks = (pid: number): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
};
