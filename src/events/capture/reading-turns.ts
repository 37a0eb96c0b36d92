import { unavailable } from '../../common/errors/problem.js';
import { OneAtATime } from '../../common/background/one-at-a-time.js';
import { FREELY_UNPACKED_BYTES } from './limits.js';
import { type MemoryReservation } from './unwrap.js';

const MEGABYTE = 1024 * 1024;

/** Bodies in the course of being unpacked to more than every body may be. */
const unpackedAtOnce = 4;
/** Of unpacked bodies that are read or wait to be. */
const heldBytes = { perProject: 64 * MEGABYTE, all: 256 * MEGABYTE };

/**
 * Bounds the memory that unpacked bodies take, and keeps one project's bodies from delaying those of another. A project's
 * bodies are read in turn, the large ones apart from the others.
 */
export class ReadingTurns {
  private readonly queues = new OneAtATime();
  private readonly held = new Map<number, number>();
  private heldByAll = 0;
  private unpacking = 0;
  private readonly waiting: (() => void)[] = [];

  /** `work` calls its argument before it unpacks much. */
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
