import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { javascriptOfText, typescriptFile } from '../support/jest/typescript.mjs';
import { load as loadPlain, resolve as resolvePlain } from '../support/jest/typescript-hooks.mjs';
import { dependentsOf } from './imports.mjs';
import { mutantsOf, withMutant } from './mutants.mjs';

const root = process.cwd();
const inProcess = new URL('./service-in-process.ts', import.meta.url).href;
const mutantOf = (url) => new URL(url).searchParams.get('mutant');

/** `file~n` names the n-th mutant of a file. What imports that file is evaluated again with it, and everything else only once. */
export const resolve = async (specifier, context, next) => {
  if (specifier.endsWith('/shared-service.js')) return resolve(inProcess, context, next);
  const resolved = await resolvePlain(specifier, context, next);
  const mutant = context.parentURL ? mutantOf(context.parentURL) : null;
  const file = typescriptFile(resolved.url);
  if (mutant === null || file === null || !dependentsOf(mutant.split('~')[0]).has(relative(root, file)))
    return resolved;
  return { ...resolved, url: `${resolved.url}?mutant=${encodeURIComponent(mutant)}` };
};

export const load = async (url, context, next) => {
  const file = typescriptFile(url);
  const [mutated, number] = (file === null ? null : mutantOf(url))?.split('~') ?? [];
  if (file === null || relative(root, file) !== mutated) return loadPlain(url, context, next);
  const text = await readFile(file, 'utf8');
  const mutant = mutantsOf(file, text)[Number(number)];
  return { format: 'module', source: await javascriptOfText(withMutant(text, mutant)), shortCircuit: true };
};
