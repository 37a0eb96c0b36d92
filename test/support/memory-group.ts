import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
const mebibyte = 1024 ** 2;

/** A control group of Linux, as a container has, with a limit of memory, which kills a process of it that exceeds the limit. Needs root. */
export class MemoryGroup {
  private constructor(
    private readonly folder: string,
    private readonly isSecondVersion: boolean,
  ) {}

  /** True if this process may make one. */
  static get canBeMade(): boolean {
    const folder = existsSync(join(root, 'cgroup.controllers')) ? root : join(root, 'memory');
    try {
      accessSync(folder, constants.W_OK);
      return process.getuid?.() === 0;
    } catch {
      return false;
    }
  }

  static withMiB(limit: number): MemoryGroup {
    const isSecondVersion = existsSync(join(root, 'cgroup.controllers'));
    const folder = join(root, isSecondVersion ? '' : 'memory', `kohort-${process.pid}`);
    mkdirSync(folder);
    const group = new MemoryGroup(folder, isSecondVersion);
    group.write(isSecondVersion ? 'memory.max' : 'memory.limit_in_bytes', String(limit * mebibyte));
    return group;
  }

  /** Starts the program behind it in the group. */
  get starter(): string[] {
    return ['sh', '-c', `echo $$ > '${join(this.folder, 'cgroup.procs')}' && exec "$@"`, 'sh'];
  }

  /** The memory of all processes of the group, without the files that could be read again. */
  get usedMiB(): number {
    const names = this.isSecondVersion ? ['anon', 'shmem'] : ['total_rss', 'total_shmem'];
    const lines = new Map(
      readFileSync(join(this.folder, 'memory.stat'), 'utf8')
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    );
    return names.reduce((sum, name) => sum + Number(lines.get(name) ?? 0), 0) / mebibyte;
  }

  /** Its processes must have ended. */
  remove(): void {
    rmdirSync(this.folder);
  }

  private write(name: string, text: string): void {
    writeFileSync(join(this.folder, name), text);
  }
}
