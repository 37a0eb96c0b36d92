import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { thisProcess, type Holder } from './data-dir-holder.js';
import { DataDirInUseError, lockDataDir } from './data-dir.js';

describe('the lock of DATA_DIR', () => {
  let root: string;
  let folder: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'kohort-lock-'));
    folder = join(root, 'nested', 'data');
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await rm(root, { recursive: true, force: true });
  });

  /** Writes a lock as if that process had taken it. */
  const leaveLock = async (change: Partial<Holder>, ageMs = 0): Promise<void> => {
    await (await lockDataDir(folder)).release();
    const holder = { ...(await thisProcess('left-behind-token')), ...change };
    const file = join(folder, 'kohort.lock');
    await writeFile(file, JSON.stringify(holder));
    const touched = new Date(Date.now() - ageMs);
    await utimes(file, touched, touched);
  };

  const holderPid = async (): Promise<number> =>
    (JSON.parse(await readFile(join(folder, 'kohort.lock'), 'utf8')) as Holder).pid;

  const sleeper = async (): Promise<ChildProcess> => {
    const child = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.push(child);
    await once(child, 'spawn');
    return child;
  };

  const deadPid = async (): Promise<number> => {
    const child = spawn('true', { stdio: 'ignore' });
    await once(child, 'exit');
    return child.pid ?? 0;
  };

  it('creates a missing folder for its owner alone', async () => {
    const lock = await lockDataDir(folder);
    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await lock.release();
  });

  it('refuses a second holder in one line that names the first', async () => {
    const lock = await lockDataDir(folder);
    const second = lockDataDir(folder);
    await expect(second).rejects.toThrow(DataDirInUseError);
    await expect(second).rejects.toThrow(
      new RegExp(`^DATA_DIR ${folder} is in use by process ${process.pid} on host \\S+ since 20\\S+Z; stop it or .+$`),
    );
    await lock.release();
  });

  it('is free again after release, which may be called twice and leaves nothing', async () => {
    const lock = await lockDataDir(folder);
    await lock.release();
    await lock.release();
    expect(await readdir(folder)).toEqual([]);
    await (await lockDataDir(folder)).release();
  });

  it('leaves the lock of a successor alone when released late', async () => {
    const late = await lockDataDir(folder);
    await rm(join(folder, 'kohort.lock'));
    const lock = await lockDataDir(folder);
    await late.release();
    await expect(lockDataDir(folder)).rejects.toThrow(DataDirInUseError);
    await lock.release();
  });

  it('is taken over from a dead process', async () => {
    await leaveLock({ pid: await deadPid() });
    const lock = await lockDataDir(folder);
    expect(await holderPid()).toBe(process.pid);
    expect(await readdir(folder)).toEqual(['kohort.lock']);
    await lock.release();
  });

  it('is taken over when the pid now belongs to a process that started later, even to this one', async () => {
    await leaveLock({ started: '1' });
    await (await lockDataDir(folder)).release();
    await leaveLock({ pid: (await sleeper()).pid ?? 0 });
    await (await lockDataDir(folder)).release();
  });

  it('is taken over after a reboot, whatever now has the pid', async () => {
    await leaveLock({ machine: 'an earlier boot' }, 60_000);
    await (await lockDataDir(folder)).release();
  });

  it('is held by another container as long as its heart beats', async () => {
    await leaveLock({ host: 'another', machine: 'another', pid: 1 });
    const file = join(folder, 'kohort.lock');
    const heart = setInterval(() => void utimes(file, new Date(), new Date()), 500);
    await expect(lockDataDir(folder)).rejects.toThrow(/process 1 on host another/);
    clearInterval(heart);
  });

  it('is taken over from another container whose heart stopped', async () => {
    await leaveLock({ host: 'another', machine: 'another', pid: 1 }, 14_000);
    const started = Date.now();
    await (await lockDataDir(folder)).release();
    expect(Date.now() - started).toBeGreaterThan(500);
  });

  it('keeps its own heart beating', async () => {
    const lock = await lockDataDir(folder);
    const file = join(folder, 'kohort.lock');
    await utimes(file, new Date(0), new Date(0));
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(Date.now() - (await stat(file)).mtimeMs).toBeLessThan(2_500);
    await lock.release();
  });

  it.each([1, 2, 3, 4, 5])('goes to exactly one of twenty that find it stale (round %i)', async () => {
    await leaveLock({ pid: await deadPid() });
    const attempts = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataDir(folder)));
    const won = attempts.filter((attempt) => attempt.status === 'fulfilled');
    const lost = attempts.filter((attempt) => attempt.status === 'rejected');
    expect(won).toHaveLength(1);
    expect(lost.every(({ reason }) => reason instanceof DataDirInUseError)).toBe(true);
    expect(await readdir(folder)).toEqual(['kohort.lock']);
    await won[0]?.value.release();
  });

  it('survives a successor that died before it replaced the lock', async () => {
    const pid = await deadPid();
    await leaveLock({ pid });
    const dead = { ...(await thisProcess('died-while-taking-over')), pid };
    await writeFile(join(folder, 'kohort.lock.after-left-behind-token'), JSON.stringify(dead));
    const lock = await lockDataDir(folder);
    await expect(lockDataDir(folder)).rejects.toThrow(DataDirInUseError);
    await lock.release();
  });

  it('says what to do about a lock that names no process', async () => {
    await leaveLock({});
    await writeFile(join(folder, 'kohort.lock'), '');
    await expect(lockDataDir(folder)).rejects.toThrow(/remove that file if no other Kohort uses the folder/);
  });
});
