import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

/** The service that the development server passes requests on to, and a key to use instead of signing in. */
const { KOHORT_URL = 'http://127.0.0.1:3000', KOHORT_KEY } = process.env;

const service = {
  target: KOHORT_URL,
  ...(KOHORT_KEY === undefined ? {} : { headers: { authorization: `Bearer ${KOHORT_KEY}` } }),
};

const worthCompressing = /\.(css|html|js|svg)$/;

/** Writes each file compressed beside it, so that the service compresses nothing while it serves. */
const compressed = (): Plugin => ({
  name: 'compressed',
  apply: 'build',
  async writeBundle() {
    const folder = join(import.meta.dirname, 'dist');
    const files = (await readdir(folder, { recursive: true })).filter((file) => worthCompressing.test(file));
    await Promise.all(
      files.map(async (file) => {
        const path = join(folder, file);
        const bytes = await readFile(path);
        const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }));
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }));
      }),
    );
  },
});

const component = /\/@mantine\/core\/esm\/(?:[\w.-]+\/)*(\w+)\.module\.mjs$/;

/**
 * Sends the styles of a component with the code of the component. Without this the first page would bring the styles of all
 * components of the library, most of which no page uses.
 */
const stylesWithComponents = (): Plugin => ({
  name: 'styles-with-components',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id) => (id === '@mantine/core/styles.layer.css' ? '\0styles-of-all-pages' : null),
  load: (id) =>
    id === '\0styles-of-all-pages'
      ? shared.map((name) => `import '@mantine/core/styles/${name}.layer.css';`).join('')
      : null,
  transform(code, id) {
    const [, name] = component.exec(id) ?? [];
    if (name === undefined || !existsSync(join(styles, `${name}.layer.css`))) return null;
    return { code: `import '@mantine/core/styles/${name}.layer.css';\n${code}`, map: null };
  },
});

const styles = join(import.meta.dirname, '../node_modules/@mantine/core/styles');
const shared = ['baseline', 'default-css-variables', 'global'];

const useId = `
import { useId as useReactId } from 'react';
export const useId = (given) => {
  const own = useReactId();
  return typeof given === 'string' ? given : 'id-' + own.replace(/:/g, '');
};`;

/** The component library gives most controls another id after they are drawn, which draws each of them twice. */
const idsAtOnce = (): Plugin => ({
  name: 'ids-at-once',
  enforce: 'pre',
  load: (id) => (/\/@mantine\/hooks\/.*\/use-id\.mjs$/.test(id) ? useId : null),
});

export default defineConfig({
  plugins: [stylesWithComponents(), idsAtOnce(), compressed()],
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first releases with `light-dark()`, which would be rewritten into variables that nothing sets.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // The largest part is the chart library, which is loaded only where something is drawn.
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    // The page's policy allows scripts from files only.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The component library marks its modules for servers that draw pages, which this console has not.
    rolldownOptions: {
      checks: { moduleLevelDirective: false },
      // Few files, each with what the same pages need: a browser requests six at a time, each takes a journey of its own.
      output: {
        // Without the names of all pages that share it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'controls', minShareCount: 4, priority: 2 },
            { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000, priority: 1 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': service, '/batch': service, '/openapi.json': service, '/_readyz': service } },
});
