import { unavailable } from '../../common/errors/problem.js';
import { OneAtATime } from '../../common/background/one-at-a-time.js';
import { FREELY_UNPACKED_BYTES } from './limits.js';
import { type MemoryReservation } from './unwrap.js';

const MEGABYTE = 1024 * 1024;

/** The number of bodies that may be unpacked beyond the common size at the same time. */
const unpackedAtOnce = 4;
/** Limits the bytes of unpacked bodies that are being read or wait to be read. */
const heldBytes = { perProject: 64 * MEGABYTE, all: 256 * MEGABYTE };

/**
 * Bounds the memory of unpacked bodies, and keeps the bodies of one project from delaying those of another. Each
 * project's bodies are read in turn, large ones apart from the others.
 */
export class ReadingTurns {
  private readonly queues = new OneAtATime();
  private readonly held = new Map<number, number>();
  private heldByAll = 0;
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
    const held = (this.held.get(projectId) ?? 0) + bytes;
    if (held > heldBytes.perProject || this.heldByAll + bytes > heldBytes.all) {
      throw unavailable('Too many large bodies wait to be read: try again');
    }
    this.hold(projectId, bytes);
    try {
      return await this.queues.run(bytes > FREELY_UNPACKED_BYTES ? `${projectId} large` : `${projectId}`, work);
    } finally {
      this.hold(projectId, -bytes);
    }
  }

  private hold(projectId: number, bytes: number): void {
    const held = (this.held.get(projectId) ?? 0) + bytes;
    this.heldByAll += bytes;
    if (held === 0) this.held.delete(projectId);
    else this.held.set(projectId, held);
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
