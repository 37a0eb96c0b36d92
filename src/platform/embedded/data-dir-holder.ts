import { execFile } from 'node:child_process';
import { readFile, readlink, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

/** The process that holds the lock, as recorded in the lock file. */
export interface Holder {
  readonly token: string;
  readonly pid: number;
  /** The start time of the process, in the unit of its platform. The pid alone is not enough, because pids are reused. */
  readonly started: string;
  readonly host: string;
  /** The scope in which the pid is unique: this boot of the kernel, this pid namespace. */
  readonly machine: string;
  readonly since: string;
}

export const heartbeatMs = 2_000;
const silenceMs = { sameHost: 6_000, otherHost: 15_000 };

export const thisProcess = async (token: string): Promise<Holder> => ({
  token,
  pid: process.pid,
  started: (await startOf(process.pid)) ?? 'unknown',
  host: hostname(),
  machine: await thisMachine(),
  since: new Date().toISOString(),
});

/** True while the holder is alive; `file` is the lock, whose time the holder keeps updating. */
export const isAlive = async (holder: Holder, file: string): Promise<boolean> => {
  if (holder.machine === (await thisMachine())) return (await startOf(holder.pid)) === holder.started;
  return beats(file, holder.host === hostname() ? silenceMs.sameHost : silenceMs.otherHost);
};

export const parseHolder = (text: string): Holder | null => {
  try {
    const parsed = JSON.parse(text) as Partial<Holder> | null;
    const known = typeof parsed?.pid === 'number' && /^[\w-]{8,64}$/.test(parsed.token ?? '');
    return known ? (parsed as Holder) : null;
  } catch {
    return null;
  }
};

/** A holder in another container or on another host cannot be looked up by pid, so this waits for its heartbeat. */
const beats = async (file: string, silence: number): Promise<boolean> => {
  const first = await touchedAt(file);
  while (Date.now() - first < silence) {
    await sleep(200);
    if ((await touchedAt(file)) !== first) return true;
  }
  return false;
};

/** Returns 0 for a file that is gone, which counts as a change, so the caller looks again. */
const touchedAt = async (file: string): Promise<number> => {
  const status = await stat(file).catch(() => null);
  return status?.mtimeMs ?? 0;
};

const thisMachine = async (): Promise<string> => {
  if (process.platform !== 'linux') return hostname();
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8');
  return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`;
};

/** Returns null when there is no such process, or only a zombie. */
const startOf = async (pid: number): Promise<string | null> => {
  if (process.platform !== 'linux') {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({
      stdout: '',
    }));
    return stdout.trim() || null;
  }
  const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The command in parentheses may itself contain spaces and parentheses; the fields after the last one are regular.
  const fields = line?.slice(line.lastIndexOf(')') + 2).split(' ') ?? [];
  const [state] = fields;
  return state === undefined || state === 'Z' || state === 'X' ? null : (fields[19] ?? null);
};
