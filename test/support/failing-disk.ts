import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const run = (command: string, ...args: string[]): string => execFileSync(command, args, { encoding: 'utf8' }).trim();

/** A file system of ext4 in a file that turns read-only when it meets an error, as most installations have it. */
export class FailingDisk {
  private constructor(
    private readonly image: string,
    readonly path: string,
  ) {}

  static async at(folder: string, megabytes: number): Promise<FailingDisk> {
    const disk = new FailingDisk(join(folder, 'image'), join(folder, 'disk'));
    await writeFile(disk.image, '');
    await truncate(disk.image, megabytes * 1024 ** 2);
    run('mkfs.ext4', '-q', disk.image);
    await mkdir(disk.path);
    disk.mount();
    return disk;
  }

  /** Also for files that are open for writing. */
  turnReadOnly(): void {
    const device = basename(run('findmnt', '-no', 'SOURCE', this.path));
    writeFileSync(`/sys/fs/ext4/${device}/trigger_fs_error`, '1');
  }

  /** Nothing may have the disk open. */
  repair(): void {
    run('umount', this.path);
    // 1 stands for errors that it has corrected.
    const { status } = spawnSync('e2fsck', ['-p', this.image]);
    this.mount();
    if (status !== 0 && status !== 1) throw new Error(`e2fsck ended with ${status}`);
  }

  unmount(): void {
    run('umount', '-l', this.path);
  }

  private mount(): void {
    run('mount', '-o', 'loop,errors=remount-ro', this.image, this.path);
    run('chmod', '755', this.path);
  }
}
