import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { podman, run, ulimits } from './podman.js';

const context = join(tmpdir(), 'kohort-images');
const nodeRelease = '24.21.0';

const standIns = {
  node: 'docker.io/library/node:24-bookworm-slim',
  postgres: 'docker.io/library/postgres:18',
  clickhouse: 'docker.io/clickhouse/clickhouse-server:26.7',
};

const build = (...words: readonly string[]): Promise<string> => podman('build', '--quiet', ...ulimits(), ...words);

/** The system that the base images have. It is made once. */
const makeDebian = async (): Promise<void> => {
  const file = join(context, 'debian.tar');
  if (existsSync(file)) return;
  const draft = join(context, 'draft.tar');
  await run('mmdebstrap', '--quiet', '--variant=minbase', '--include=ca-certificates', 'bookworm', draft);
  await rename(draft, file);
};

/** Makes the images that the Dockerfile and compose.yaml name, of packages of Debian and npm: there may be no registry of images. */
export const makeStandIns = async (): Promise<void> => {
  await mkdir(context, { recursive: true });
  await makeDebian();
  await cp('test/deploy/images', context, { recursive: true });
  await copyFile('/etc/ssl/certs/ca-certificates.crt', join(context, 'ca-certificates.crt'));
  const find = ['--yes', `--package=node@${nodeRelease}`, '--', 'node', '-p', 'process.execPath'];
  await copyFile(await run('npm', 'exec', ...find), join(context, 'node'));
  await cp(join(await run('npm', 'root', '--global'), 'npm'), join(context, 'npm'), { recursive: true });
  const packages = join(dirname(createRequire(import.meta.url).resolve('chdb')), '..', '@chdb');
  await copyFile(join(packages, 'lib-linux-x64-gnu/libchdb.so'), join(context, 'libchdb.so'));
  await run('cc', '-O1', '-o', join(context, 'clickhouse-server'), 'test/support/clickhouse/server.c', '-ldl');
  for (const [target, name] of Object.entries(standIns)) await build('--target', target, '--tag', name, context);
};

/** The image of the service. Packages come from the cache of npm of this machine where it has them. */
export const makeImage = async (name: string, args: Readonly<Record<string, string>>): Promise<void> => {
  const cache = await run('npm', 'config', 'get', 'cache');
  const words = Object.entries(args).flatMap(([arg, value]) => ['--build-arg', `${arg}=${value}`]);
  await build('--volume', `${cache}:/root/.npm`, ...words, '--tag', name, '.');
};
