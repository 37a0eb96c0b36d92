import { existsSync } from 'node:fs';
import { javascriptOf, typescriptFile } from './typescript.mjs';

const globals = new URL('./globals.mjs', import.meta.url).href;

export const resolve = (specifier, context, next) => {
  if (specifier === '@jest/globals') return { url: globals, shortCircuit: true };
  if (specifier.startsWith('.') && specifier.endsWith('.js') && context.parentURL) {
    const url = new URL(specifier.replace(/js$/, 'ts'), context.parentURL).href;
    const file = typescriptFile(url);
    if (file !== null && existsSync(file)) return { url, shortCircuit: true };
  }
  return next(specifier, context);
};

export const load = async (url, context, next) => {
  const file = typescriptFile(url);
  return file === null
    ? next(url, context)
    : { format: 'module', source: await javascriptOf(file), shortCircuit: true };
};
