import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { importsOf } from './imports.mjs';

const sharedService = /\/(?:shared-)?service\.js'/;

/**
 * What a spec needs decides its kind, the first that fits: processes of its own, a running service, stores, or nothing
 * (`pure`). A spec is searched together with the files below `test` that it imports.
 */
const needs = [
  ['process', /'node:child_process'|\/support\/process\.js'|\/clickhouse\/(?:server|cluster)\.mjs'/],
  ['service', sharedService],
  ['stores', /\/fresh-stores\.js'|TEST_POSTGRES|TEST_RUN_DIR|ClickHouse\.open\(|startEmbeddedPostgres/],
];

export const kinds = ['pure', 'stores', 'service', 'process'];

/** A spec that uses these starts no process of its own. */
const startsServices = /support\/(?:shared-)?service\.ts$/;

const importedByTests = (file) =>
  importsOf(file).filter((path) => path.startsWith('test') && !startsServices.test(path));

const withImports = (file, known = new Set()) => {
  if (known.has(file)) return known;
  known.add(file);
  for (const path of importedByTests(file)) withImports(path, known);
  return known;
};

const kindOf = (spec) => {
  const texts = [...withImports(spec)].map((file) => readFileSync(file, 'utf8'));
  return needs.find(([, pattern]) => texts.some((text) => pattern.test(text)))?.[0] ?? 'pure';
};

/** The spec files below `src` and `test`, by kind. */
export const specsByKind = () => {
  const specs = ['src', 'test'].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.spec.ts') && !name.endsWith('.long.spec.ts'))
      .map((name) => join(folder, name)),
  );
  const byKind = new Map(kinds.map((kind) => [kind, []]));
  for (const spec of specs) byKind.get(kindOf(spec)).push(spec);
  return byKind;
};
