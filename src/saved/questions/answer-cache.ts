export interface CachedAnswer {
  readonly asOf: Date;
  readonly json: Buffer;
}

interface Entry extends CachedAnswer {
  readonly projectId: number;
}

export interface CacheLimits {
  readonly maxAgeMs: number;
  /** The bytes of one answer, of all answers of a project, and of all answers. */
  readonly answerBytes: number;
  readonly projectBytes: number;
  readonly totalBytes: number;
}

const megabyte = 1024 ** 2;

export const cacheLimits: CacheLimits = {
  maxAgeMs: 15 * 60_000,
  answerBytes: 2 * megabyte,
  projectBytes: 16 * megabyte,
  totalBytes: 64 * megabyte,
};

/**
 * Keeps answers in the memory of this process, outside of the heap. If there is no room for an answer, the oldest ones are
 * forgotten.
 */
export class AnswerCache {
  private readonly entries = new Map<string, Entry>();
  private readonly bytesOf = new Map<number, number>();
  private bytes = 0;

  constructor(private readonly limits: CacheLimits = cacheLimits) {}

  get(key: string, now: Date): CachedAnswer | null {
    const entry = this.entries.get(key);
    if (!entry) return null;
    const age = now.getTime() - entry.asOf.getTime();
    return age >= 0 && age < this.limits.maxAgeMs ? entry : null;
  }

  set(key: string, projectId: number, { asOf, json }: CachedAnswer): void {
    this.forget(key);
    const { answerBytes, projectBytes, totalBytes } = this.limits;
    if (json.length > answerBytes) return;
    this.makeRoom(projectBytes - json.length, () => this.bytesOf.get(projectId) ?? 0, projectId);
    this.makeRoom(totalBytes - json.length, () => this.bytes, null);
    this.entries.set(key, { asOf, json, projectId });
    this.count(projectId, json.length);
  }

  private makeRoom(most: number, used: () => number, projectId: number | null): void {
    if (used() <= most) return;
    for (const [key, entry] of this.entries) {
      if (projectId !== null && entry.projectId !== projectId) continue;
      this.forget(key);
      if (used() <= most) return;
    }
  }

  private forget(key: string): void {
    const entry = this.entries.get(key);
    if (!entry) return;
    this.entries.delete(key);
    this.count(entry.projectId, -entry.json.length);
  }

  private count(projectId: number, change: number): void {
    const left = (this.bytesOf.get(projectId) ?? 0) + change;
    if (left === 0) this.bytesOf.delete(projectId);
    else this.bytesOf.set(projectId, left);
    this.bytes += change;
  }
}
