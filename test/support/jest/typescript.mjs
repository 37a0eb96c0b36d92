import { transform, transformFile, transformFileSync } from '@swc/core';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const options = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    transform: { legacyDecorator: true, decoratorMetadata: true },
    keepClassNames: true,
  },
  module: { type: 'es6' },
};

/** A file of ours with types, without what the runtime adds to its URL; null for any other. */
export const typescriptFile = (url) => {
  const [bare] = url.split('?');
  const isOurs = bare.startsWith('file:') && bare.endsWith('.ts') && !bare.includes('/node_modules/');
  return isOurs ? fileURLToPath(bare) : null;
};

export const javascriptOf = async (file) => (await transformFile(file, options)).code;

export const javascriptOfText = async (text) => (await transform(text, options)).code;

/** The source maps of the files that a stack names, made when it is printed. */
export class SourceMaps extends Map {
  get(url) {
    const file = super.has(url) ? null : typescriptFile(url);
    if (file !== null) super.set(url, writtenMapOf(file));
    return super.get(url);
  }
}

const writtenMapOf = (file) => {
  const { map } = transformFileSync(file, { ...options, sourceMaps: true });
  const folder = join(tmpdir(), 'kohort-source-maps');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${createHash('sha256').update(map).digest('hex')}.json`);
  writeFileSync(path, map);
  return path;
};
