import { Permits } from '../../platform/work/permits.js';
import { unavailable } from '../../platform/errors/problem.js';
import { freelyUnpackedBytes } from '../../kernel/event-log/normalise/limits.js';
import { type MemoryReservation } from './decode.js';

const megabyte = 1024 * 1024;

/** Limits the bodies that are unpacked beyond the common size at the same time. */
const unpacking = new Permits({ all: 4 }, { mostWaiting: Infinity });
/** Limits the bytes of unpacked bodies that are being read or waiting to be read. */
const buffered = new Permits(
  { project: 64 * megabyte, all: 256 * megabyte },
  { refusal: () => unavailable('Too many large bodies wait to be read: try again') },
);
/** Reads the bodies of each project one at a time, so that no project delays others. Large bodies have a queue of their own. */
const reading = new Permits({ queue: 1 }, { mostWaiting: Infinity });

/**
 * A larger body is read alone: once parsed, it takes several times its size in memory, which must be released before the next
 * body of the project is parsed.
 */
const readAloneBytes = 16 * 1024;

/** Does `work`, which must call its argument before it unpacks more than the common size. */
export const duringUnpacking = async <T>(work: (admission: MemoryReservation) => Promise<T>): Promise<T> => {
  let release: (() => void) | null = null;
  const admission = async (): Promise<void> => {
    release ??= await unpacking.wait({});
  };
  return work(admission).finally(() => release?.());
};

export const duringReading = async <T>(projectId: number, bytes: number, work: () => Promise<T>): Promise<T> => {
  if (bytes <= readAloneBytes) return work();
  const release = buffered.take({ project: projectId }, bytes);
  const queue = bytes > freelyUnpackedBytes ? `${projectId} large` : projectId;
  return reading.during({ queue }, work).finally(release);
};
