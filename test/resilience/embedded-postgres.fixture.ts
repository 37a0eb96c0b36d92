import { transform } from '@swc/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';

const repository = process.cwd();

/** The launcher as plain JavaScript in a folder every account can read, to be run by processes that can be killed. */
export const transpileLauncher = async (target: string): Promise<void> => {
  const stores = join(repository, 'src', 'stores');
  const embedded = join(stores, 'postgres', 'embedded');
  const sources = (await readdir(embedded)).map((name) => join(embedded, name));
  for (const source of [...sources, join(stores, 'data-dir.ts'), join(stores, 'data-dir-holder.ts')]) {
    if (!source.endsWith('.ts') || source.endsWith('.spec.ts')) continue;
    const { code } = await transform(await readFile(source, 'utf8'), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'es6' },
    });
    const file = join(target, relative(stores, source).replace(/\.ts$/, '.js'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  await symlink(join(repository, 'node_modules'), join(target, 'node_modules'));
  await chmod(target, 0o755);
};

/** Runs a module body with the launcher in scope; `say` sends a line to the test. */
export const runScript = (launcher: string, body: string, options: { uid?: number; env?: NodeJS.ProcessEnv } = {}) => {
  const script = `
    import { lockDataDir } from '${launcher}/data-dir.js';
    import { startEmbeddedPostgres } from '${launcher}/postgres/embedded/server.js';
    import { findBinaries } from '${launcher}/postgres/embedded/binaries.js';
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
  throw new Error('the script said nothing');
};

export const kill = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
};
