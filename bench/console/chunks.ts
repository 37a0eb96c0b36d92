import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { rounded, type Figure } from '../bench.js';

const folder = join(process.cwd(), 'console/dist');

/** Chunks smaller than this are left out of the list. */
const listedBytes = 5000;

/** The size of a file of the console in the gzip form that the build wrote beside it. */
export const gzippedOf = async (path: string): Promise<number> => {
  const file = join(folder, path);
  const { size } = await stat(`${file}.gz`).catch(() => stat(file));
  return size;
};

/**
 * The files that the document names, and those without which the chunks of these pages do not run: what they import, and the
 * styles that are loaded with them.
 */
export const neededBy = async (pages: readonly string[]): Promise<ReadonlySet<string>> => {
  const names = await readdir(join(folder, 'assets'));
  const needed = new Set<string>();
  const add = async (file: string): Promise<void> => {
    if (needed.has(`/assets/${file}`)) return;
    needed.add(`/assets/${file}`);
    if (!file.endsWith('.js')) return;
    const code = await readFile(join(folder, 'assets', file), 'utf8');
    for (const [, imported = ''] of code.matchAll(/(?:from|import)"\.\/([^"]+)"/g)) await add(imported);
    const style = names.find((name) => name.endsWith('.css') && nameOf(name) === nameOf(file).replace(/js$/, 'css'));
    if (style !== undefined) needed.add(`/assets/${style}`);
  };
  const document = await readFile(join(folder, 'index.html'), 'utf8');
  for (const [, file = ''] of document.matchAll(/"\/assets\/([^"]+)"/g)) await add(file);
  for (const page of pages) for (const file of names) if (nameOf(file) === `${page}.js`) await add(file);
  return needed;
};

/** The size of each page and each shared part, largest first. */
export async function* chunkFigures(): AsyncGenerator<Figure> {
  const files = (await readdir(join(folder, 'assets'))).filter((file) => /\.(js|css)$/.test(file));
  const sizes = await Promise.all(files.map(async (file) => ({ file, bytes: await gzippedOf(join('assets', file)) })));
  sizes.sort((a, b) => b.bytes - a.bytes);
  const all = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  yield { figure: 'all chunks, gzipped', value: rounded(all / 1000, 1), unit: 'kB' };
  yield { figure: 'number of chunks', value: files.length, unit: 'files' };
  for (const { file, bytes } of sizes.filter((one) => one.bytes >= listedBytes))
    yield { figure: `chunk ${nameOf(file)}, gzipped`, value: rounded(bytes / 1000, 1), unit: 'kB' };
}

/** Without the hash of the content, so that two builds can be compared. */
const nameOf = (file: string): string => file.replace(/-[\w-]{8}(\.\w+)$/, '$1');
