import { execFile } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** A wall clock that can be set while processes run: theirs, and that of the processes that they start. */
export class SteppedClock {
  private constructor(
    private readonly dir: string,
    private readonly file: number,
    /** Of the processes that go by it. */
    readonly env: Readonly<Record<string, string>>,
  ) {}

  static async make(): Promise<SteppedClock> {
    // PostgreSQL reads it under an account of its own.
    const dir = mkdtempSync(join(tmpdir(), 'kohort-clock-'));
    const [library, ahead] = [join(dir, 'clock.so'), join(dir, 'ahead')];
    const source = resolve('test/support/stepped-clock/clock.c');
    await promisify(execFile)('cc', ['-O1', '-Wall', '-Werror', '-shared', '-fPIC', '-o', library, source, '-ldl']);
    writeFileSync(ahead, Buffer.alloc(8), { mode: 0o644 });
    await promisify(execFile)('chmod', ['755', dir, library]);
    return new SteppedClock(dir, openSync(ahead, 'r+'), { LD_PRELOAD: library, STEPPED_CLOCK: ahead });
  }

  set(aheadMs: number): void {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(BigInt(aheadMs));
    writeSync(this.file, bytes, 0, 8, 0);
  }

  remove(): void {
    closeSync(this.file);
    rmSync(this.dir, { recursive: true, force: true });
  }
}
