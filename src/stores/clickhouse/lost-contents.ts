import { existsSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Logger } from '../../common/logging/logger.js';
import { engineCode } from './errors.js';

/**
 * Remembers in a file beside the folder that its contents are lost: until a rebuild has filled it again, a question would
 * be answered as if there were no events, whatever process is killed meanwhile.
 */
export class LostContents {
  /** The folder did not exist when it was opened: either for the first time, or because it was removed. */
  readonly areNew: boolean;
  private readonly file: string;
  private isKnownLost: boolean;

  constructor(private readonly folder: string) {
    this.file = `${folder}.incomplete`;
    this.isKnownLost = existsSync(this.file);
    this.areNew = !existsSync(folder);
  }

  get areLost(): boolean {
    return this.isKnownLost;
  }

  /** Moves a damaged folder away, and returns its new name. Nothing in it exists there alone. */
  async setAside(): Promise<string> {
    const aside = `${this.folder}.damaged`;
    await this.lose();
    await rm(aside, { recursive: true, force: true });
    await rename(this.folder, aside);
    return aside;
  }

  /** To be called when the tables once had contents, because the folder may have been removed. */
  async noticeRemoval(logger: Pick<Logger, 'warn'>): Promise<void> {
    if (!this.areNew || this.areLost) return;
    await this.lose();
    logger.warn(`the folder of ClickHouse is missing, ${this.folder}: it is filled again from PostgreSQL`);
  }

  async lose(): Promise<void> {
    await writeFile(this.file, 'ClickHouse is filled from PostgreSQL\n', { mode: 0o600, flush: true });
    this.isKnownLost = true;
  }

  async refilled(): Promise<void> {
    if (!this.isKnownLost) return;
    await rm(this.file, { force: true });
    this.isKnownLost = false;
  }

  /** Whether another process has the folder open, which is then not damaged. Known on Linux only. */
  async isHeld(): Promise<boolean> {
    const status = await stat(join(this.folder, 'status')).catch(() => null);
    if (!status) return false;
    const locks = await readFile('/proc/locks', 'utf8').catch(() => null);
    return locks === null || locks.split('\n').some((line) => line.includes(`:${status.ino} `));
  }
}

/** What the engine says about files that have other bytes than it wrote, or that are gone. */
const damageCodes = new Set(['32', '33', '40', '76', '107', '117', '226', '231', '246', '271', '432']);

export const isDamage = (error: unknown): boolean => damageCodes.has(engineCode(error) ?? '');
