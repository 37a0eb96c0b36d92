import { readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second on everything that Node runs on. */
const msPerTick = 10;

/**
 * The milliseconds of processor time that a thread has used. `thread` is where `/proc/thread-self` points to on that thread;
 * null if the system has no such file, and then the answer is null, because only Linux tells it from outside of the thread.
 */
export const processorMsOf = (thread: string | null): number | null => {
  if (thread === null) return null;
  try {
    const status = readFileSync(`/proc/${thread}/stat`, 'latin1');
    // The name of the thread is in brackets and may have blanks in it.
    const [user, system] = status
      .slice(status.lastIndexOf(')') + 2)
      .split(' ')
      .slice(11, 13)
      .map(Number);
    return user === undefined || system === undefined ? null : (user + system) * msPerTick;
  } catch {
    return null;
  }
};
