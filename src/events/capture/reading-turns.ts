import { unavailable } from '../../common/errors/problem.js';
import { OneAtATime } from '../../common/background/one-at-a-time.js';
import { freelyUnpackedBytes } from './limits.js';
import { type MemoryReservation } from './unwrap.js';

const megabyte = 1024 * 1024;

/** The number of bodies that may be unpacked beyond the common size at the same time. */
const unpackedAtOnce = 4;
/** Limits the bytes of unpacked bodies that are being read or wait to be read. */
const maxBufferedBytes = { perProject: 64 * megabyte, all: 256 * megabyte };

/**
 * A parsed body takes several times its size in memory. A body above this size is read in turn, so that it is released
 * before the next one of the project is parsed.
 */
const readInTurnBytes = 16 * 1024;

/**
 * Bounds the memory of unpacked bodies, and keeps the bodies of one project from delaying those of another. Each
 * project's bodies are read in turn, large ones apart from the others.
 */
export class ReadingTurns {
  private readonly queues = new OneAtATime();
  private readonly bufferedBytes = new Map<number, number>();
  private bufferedByAll = 0;
  private unpacking = 0;
  private readonly waiting: (() => void)[] = [];

  /** `work` must call its argument before it unpacks more than the common size. */
  async unpack<T>(work: (admission: MemoryReservation) => Promise<T>): Promise<T> {
    let isAdmitted = false;
    const admission = async (): Promise<void> => {
      if (isAdmitted) return;
      await this.enter();
      isAdmitted = true;
    };
    try {
      return await work(admission);
    } finally {
      if (isAdmitted) this.leave();
    }
  }

  async read<T>(projectId: number, bytes: number, work: () => Promise<T>): Promise<T> {
    if (bytes <= readInTurnBytes) return work();
    const ofProject = (this.bufferedBytes.get(projectId) ?? 0) + bytes;
    if (ofProject > maxBufferedBytes.perProject || this.bufferedByAll + bytes > maxBufferedBytes.all) {
      throw unavailable('Too many large bodies wait to be read: try again');
    }
    this.count(projectId, bytes);
    try {
      return await this.queues.run(bytes > freelyUnpackedBytes ? `${projectId} large` : `${projectId}`, work);
    } finally {
      this.count(projectId, -bytes);
    }
  }

  private count(projectId: number, bytes: number): void {
    const ofProject = (this.bufferedBytes.get(projectId) ?? 0) + bytes;
    this.bufferedByAll += bytes;
    if (ofProject === 0) this.bufferedBytes.delete(projectId);
    else this.bufferedBytes.set(projectId, ofProject);
  }

  private async enter(): Promise<void> {
    if (this.unpacking < unpackedAtOnce) this.unpacking += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }

  private leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.unpacking -= 1;
  }
}
