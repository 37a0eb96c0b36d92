import { existsSync, readdirSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

/** As deep as `dist/src`, so that the files which the service finds beside its own are found from here, too. */
const made = 'dist/test/shared-service.cjs';
const script = 'test/support/shared-service-process.mjs';

/** When the last of the files was written, in milliseconds. */
const newestOf = (paths) => Math.max(...paths.map((path) => statSync(path).mtimeMs));

/** The shared service in one file: two thousand files take three seconds of processor time to load. */
export const bundleSharedService = async () => {
  const built = readdirSync('dist/src', { recursive: true }).map((name) => join('dist/src', name));
  const isCurrent = existsSync(made) && statSync(made).mtimeMs > newestOf([...built, script, 'scripts/bundle.mjs']);
  if (!isCurrent) {
    const own = `${made}.${process.pid}`;
    await bundle(own, { script });
    // Another run in this folder may have been faster.
    await rename(own, made);
  }
  return made;
};
