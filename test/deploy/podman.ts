import { execFile, spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Kept between runs, for its layers, and apart from the images of this machine. */
const root = join(tmpdir(), 'kohort-containers');
const path = `${process.env.PATH}:/usr/sbin`;
/** Podman's usual crun does not know the control groups of every machine. */
const common = ['--root', root, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs', '--log-level', 'error'];

const isThere = (program: string): boolean => spawnSync('which', [program], { env: { PATH: path } }).status === 0;

/** True if this machine can build and run the images, as root. */
export const canRunContainers =
  process.getuid?.() === 0 && ['podman', 'runc', 'iptables', 'mmdebstrap', 'cc'].every(isThere);

export const run = async (program: string, ...words: readonly string[]): Promise<string> => {
  const { stdout } = await promisify(execFile)(program, words, {
    env: { PATH: path, HOME: process.env.HOME },
    maxBuffer: 64 * 1024 ** 2,
  });
  return stdout.trim();
};

/** Returns the output of podman; throws with its words when it fails. */
export const podman = (...words: readonly string[]): Promise<string> => run('podman', ...common, ...words);

/** The code with which a program in the container ends, and what it says. */
export const attempt = async (...words: readonly string[]): Promise<{ code: number; says: string }> => {
  try {
    return { code: 0, says: await podman(...words) };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, says: `${stdout}${stderr}` };
  }
};

const openFiles = Number(spawnSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).stdout);

/** Podman's usual limits are higher than those of this process may be, and a container with higher ones needs CAP_SYS_RESOURCE. */
export const ulimits = (files = openFiles): string[] => [
  '--ulimit',
  `nofile=${Math.min(files, openFiles)}`,
  '--ulimit',
  'nproc=16384',
];
