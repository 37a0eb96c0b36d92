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
      ? stylesOfAllPages.map((name) => `import '@mantine/core/styles/${name}.layer.css';`).join('')
      : null,
  transform(code, id) {
    const [, name] = component.exec(id) ?? [];
    if (name === undefined || !existsSync(join(styles, `${name}.layer.css`))) return null;
    return { code: `import '@mantine/core/styles/${name}.layer.css';\n${code}`, map: null };
  },
});

const styles = join(import.meta.dirname, '../node_modules/@mantine/core/styles');
const stylesOfAllPages = ['baseline', 'default-css-variables', 'global'];

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

const modules = (...parts: readonly string[]): RegExp => new RegExp(`/(?:${parts.join('|')})`);

/** What pages share, by the moment at which it is needed. */
const shared = {
  pictures: modules('node_modules/(?:echarts|zrender)/', String.raw`charts/echarts\.`),
  /** Small, and behind almost everything else. */
  basics: modules('@mantine/(?:hooks|core/esm/core)/', '@tabler/', 'components/VisuallyHidden/'),
  /** What an insight is drawn with first. Nothing of it may lead to what is below. */
  insights: modules(
    'components/Tabs/',
    String.raw`src/charts/(?:chart|days|palette|repeated-hours)\.`,
    String.raw`src/filters/filter\.`,
    String.raw`src/ui/(?:choice|date-range|date-range-button|date-range-picker|empty-state)\.`,
    String.raw`src/insights/(?:persons/persons-drawer|saved/(?:save-buttons|use-saved-insight))\.`,
    String.raw`src/insights/(?:answer/(?!column)|sql/(?:question|statement)|kind\.|use-persons-behind|funnel/funnel-parameters)`,
    String.raw`src/insights/question/(?:breakdowns|comparison-picker|entities|maths|params|use-draft)\.`,
  ),
  /** What opens above a page. */
  floating: modules(
    '@floating-ui/',
    String.raw`components/(?:Checkbox|Combobox|Drawer|Menu|Modal\w*|MultiSelect|Popover|Select|TagsInput|Tooltip)/`,
  ),
  lists: modules('@tanstack/(?:react-)?(?:table|virtual)', 'src/(?:api|ui)/endless-'),
};

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
      // Few files, each with what is needed at the same time: a browser requests six at a time, each takes a journey of its own.
      output: {
        // Without the names of all pages that share it.
        chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
        codeSplitting: {
          // The modules that those of a group import belong to it, unless a group above has them.
          groups: [
            { name: 'frame', tags: ['$initial'], priority: 7 },
            { name: 'pictures', test: shared.pictures, minShareCount: 2, priority: 6 },
            { name: 'basics', test: shared.basics, minShareCount: 3, priority: 5 },
            { name: 'insights', test: shared.insights, minShareCount: 2, priority: 4 },
            { name: 'floating', test: shared.floating, minShareCount: 2, priority: 3 },
            { name: 'lists', test: shared.lists, minShareCount: 2, priority: 2 },
            { name: 'controls', minShareCount: 4, priority: 1 },
            { name: 'parts', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 20_000 },
          ],
        },
      },
    },
  },
  server: { port: 5173, proxy: { '/api': service, '/batch': service, '/openapi.json': service, '/_readyz': service } },
});
