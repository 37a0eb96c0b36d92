import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The files of ours that a file imports. */
const importsOf = (file) =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import) ?'(\.[^']+)\.js'/g)]
    .map(([, path]) => join(dirname(file), `${path}.ts`))
    .filter((path) => existsSync(path));

let importers;
const readImporters = () => {
  const known = new Map();
  for (const folder of ['src', 'test'])
    for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
      if (!name.endsWith('.ts')) continue;
      const file = join(folder, name);
      for (const path of importsOf(file)) known.set(path, [...(known.get(path) ?? []), file]);
    }
  return known;
};

const known = new Map();

/** The file and everything that imports it, directly or not. */
export const dependentsOf = (file) => {
  importers ??= readImporters();
  const dependents = known.get(file) ?? new Set([file]);
  if (!known.has(file)) {
    known.set(file, dependents);
    for (const dependent of dependents) for (const importer of importers.get(dependent) ?? []) dependents.add(importer);
  }
  return dependents;
};
