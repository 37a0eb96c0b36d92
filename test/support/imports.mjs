import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of ours that a file imports. */
export const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)\.js'/g)]
    .map(([, path]) => join(dirname(file), `${path}.ts`))
    .filter((path) => existsSync(path));
