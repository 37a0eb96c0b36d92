// Makes the clients from the document of the built service, or from a file: npm run clients [-- openapi.json]
import { spawn, spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectionOf } from './collection.mjs';
import { pythonOf } from './python/generate.mjs';
import { typescriptOf } from './typescript/generate.mjs';

const here = import.meta.dirname;

/** A port that is free. */
const freePort = () =>
  new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/** The document of the built service, which runs in an empty folder for as long as it takes. */
const documentOfBuild = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kohort-clients-'));
  const port = await freePort();
  const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: String(port) };
  const service = spawn(process.execPath, [join(here, '../bin/kohort.mjs')], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const ended = new Promise((done) => service.once('exit', done));
  try {
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`).catch(() => null);
      if (answer?.ok) return await answer.json();
      if (service.exitCode !== null) throw new Error('the service has ended: npm run build');
      await sleep(50);
    }
  } finally {
    service.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }
};

const writeAll = async (folder, files) => {
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
};

const run = (command, args, cwd) => {
  const { status, stdout, error } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}\n${error ?? stdout}`);
  return stdout.trim();
};

/** Copies the files of a client that are written by hand. The folder must be below the repository, which has the compiler. */
const copyClient = async (name, folder) => {
  const copy = join(folder, name);
  await cp(join(here, name), copy, { recursive: true });
  await copyFile(join(here, '../LICENSE'), join(copy, 'LICENSE'));
  return copy;
};

/** Packs `@kohort/client`; returns the file. */
export const makeTypescript = async (document, folder) => {
  const copy = await copyClient('typescript', folder);
  await writeAll(join(copy, 'src'), await typescriptOf(document));
  run(process.execPath, [join(here, '../node_modules/typescript-native/bin/tsc'), '-p', copy], here);
  // The compiler writes nothing for a file that has types only.
  await copyFile(join(copy, 'src/schema.d.ts'), join(copy, 'dist/schema.d.ts'));
  const packed = run('npm', ['pack', '--silent', '--pack-destination', folder], copy);
  await rm(copy, { recursive: true });
  return join(folder, packed);
};

/** Writes the package `kohort` of Python; returns its folder. */
export const makePython = async (document, folder) => {
  const copy = await copyClient('python', folder);
  await writeAll(join(copy, 'kohort'), pythonOf(document));
  return copy;
};

/** Writes the collection; returns the file. */
export const makeCollection = async (document, folder) => {
  const file = join(folder, 'kohort.postman_collection.json');
  await writeFile(file, JSON.stringify(collectionOf(document), null, 2));
  return file;
};

if (process.argv[1] === import.meta.filename) {
  const folder = join(here, 'dist');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const [source] = process.argv.slice(2);
  const document = source ? JSON.parse(await readFile(source, 'utf8')) : await documentOfBuild();
  for (const make of [makeTypescript, makePython, makeCollection])
    console.log(relative('.', await make(document, folder)));
}
