import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The folder of `package.json`: sources, `dist` and a bundle are at different depths below it. */
const packageFolder = (() => {
  let folder = import.meta.dirname;
  while (!existsSync(join(folder, 'package.json'))) {
    if (folder === dirname(folder)) throw new Error('package.json is missing');
    folder = dirname(folder);
  }
  return folder;
})();

/** A file or a folder that is delivered with the service, such as its documents. */
export const deliveredPath = (path: string): string => join(packageFolder, path);

/** The version of this service, as `package.json` has it. */
export const serviceVersion = (): string =>
  (JSON.parse(readFileSync(deliveredPath('package.json'), 'utf8')) as { version: string }).version;
