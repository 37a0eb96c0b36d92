import { transform } from '@swc/core';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { createInterface } from 'node:readline';

const repository = process.cwd();

/** The sources as plain JavaScript, to be run by a process that can be killed. */
export const transpileSources = async (target: string): Promise<void> => {
  const names = await readdir(join(repository, 'src'), { recursive: true });
  for (const name of names.filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))) {
    const source = join(repository, 'src', name);
    const { code } = await transform(await readFile(source, 'utf8'), {
      jsc: {
        target: 'es2022',
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true },
      },
      module: { type: 'es6' },
    });
    const file = join(target, relative(repository, source).replace(/\.ts$/, '.js'));
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, code);
  }
  await writeFile(join(target, 'package.json'), '{"type":"module"}');
  await symlink(join(repository, 'node_modules'), join(target, 'node_modules'));
};

const program = (sources: string) => `
  const load = (path) => import('${sources}/src/' + path + '.js');
  const [{ loadConfig }, { createLogger }, { entities }, { openStores }, { migrateStores }, { ProjectionWorker }, { Signal }, { Workers }] =
    await Promise.all(['platform/config/config', 'platform/telemetry/logger', 'app/entities', 'kernel/stores/open-stores',
      'kernel/projection/identity/migrate-stores', 'kernel/projection/worker', 'platform/work/signal',
      'platform/work/workers'].map(load));
  const logger = createLogger({ logLevel: 'silent' });
  const config = loadConfig(process.env);
  const { postgres, clickhouse } = await openStores(config, logger, entities, migrateStores);
  const work = new Signal();
  new ProjectionWorker(new Workers(config, logger), {
    postgres, clickhouse, logger, work, sole: true, waiting: () => 1,
    onShipped: () => process.stdout.write('shipped\\n'),
  }).worker.start();
  process.stdout.write('ready\\n');`;

/** A process that does nothing but ship, from the moment this resolves. */
export const startShippingProcess = async (
  sources: string,
  env: Readonly<Record<string, string>>,
): Promise<{ child: ChildProcess; kill(): Promise<void> }> => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(sources)], {
    env: { PATH: process.env.PATH, NODE_ENV: 'test', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const first = once(createInterface({ input: child.stdout }), 'line');
  await Promise.race([first, exited.then(() => Promise.reject(new Error('the shipping process did not start')))]);
  return {
    child,
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
