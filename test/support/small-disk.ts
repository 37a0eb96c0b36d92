import { execFileSync } from 'node:child_process';
import { mkdir, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'ignore' });

/** Only root can mount, and not in every container. What needs a disk of its own is skipped elsewhere, and says so. */
export const mayMount = (): boolean => {
  try {
    if (process.getuid?.() !== 0) throw new Error('not root');
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
    return true;
  } catch {
    console.warn('!!! NO DISK CAN BE MOUNTED HERE: tests of full and read-only disks are skipped. Run them as root.');
    return false;
  }
};

/** A file system in memory, of a few hundred MB. */
export class SmallDisk {
  private constructor(readonly path: string) {}

  static async at(path: string, megabytes: number): Promise<SmallDisk> {
    await mkdir(path, { recursive: true });
    mount('-t', 'tmpfs', '-o', `size=${megabytes}m,mode=755`, 'tmpfs', path);
    return new SmallDisk(path);
  }

  private get ballast(): string {
    return join(this.path, 'ballast');
  }

  /** Leaves so many bytes: none, not even a page, or too few for the next file of a log. */
  async fill(left = 0): Promise<void> {
    const file = await open(this.ballast, 'a');
    try {
      for (const bytes of [4 * 1024 ** 2, 4096]) {
        const block = Buffer.alloc(bytes);
        while ((await this.freeBytes()) >= left + bytes) await file.write(block);
      }
    } finally {
      await file.close();
    }
  }

  async free(): Promise<void> {
    await rm(this.ballast, { force: true });
  }

  mountAs(mode: 'ro' | 'rw'): void {
    mount('-o', `remount,${mode}`, this.path);
  }

  unmount(): void {
    execFileSync('umount', ['-l', this.path]);
  }

  private async freeBytes(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }
}
