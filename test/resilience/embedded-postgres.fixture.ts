import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const repository = process.cwd();

/** The built launcher in a folder every account can read, to be run by processes that can be killed. */
export const copyLauncher = async (target: string): Promise<void> => {
  await cp(join(repository, 'dist', 'src'), join(target, 'src'), { recursive: true });
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  await symlink(join(repository, 'node_modules'), join(target, 'node_modules'));
  await chmod(target, 0o755);
};

/** Runs a module body with the launcher in scope; `say` sends a line to the test. */
export const runScript = (launcher: string, body: string, options: { uid?: number; env?: NodeJS.ProcessEnv } = {}) => {
  const script = `
    import { lockDataDir } from '${launcher}/src/platform/embedded/data-dir.js';
    import { startEmbeddedPostgres } from '${launcher}/src/platform/postgres/embedded/server.js';
    import { findBinaries } from '${launcher}/src/platform/postgres/embedded/binaries.js';
    const logger = { info() {}, warn() {}, error() {} };
    const say = (line) => process.stdout.write(line + '\\n');
    const forever = () => new Promise(() => setInterval(() => undefined, 60_000));
    ${body}`;
  const { uid } = options;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: '/',
    env: options.env ?? { PATH: process.env.PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  return child;
};

export const firstLine = async (child: ChildProcess): Promise<string> => {
  if (!child.stdout) throw new Error('the script has no output');
  for await (const line of createInterface({ input: child.stdout })) return line;
  throw new Error('the script printed nothing');
};

export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};
