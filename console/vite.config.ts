import { defineConfig } from 'vite';

/** The service that the development server passes requests on to, and a key to use instead of signing in. */
const { KOHORT_URL = 'http://127.0.0.1:3000', KOHORT_KEY } = process.env;

const service = {
  target: KOHORT_URL,
  ...(KOHORT_KEY === undefined ? {} : { headers: { authorization: `Bearer ${KOHORT_KEY}` } }),
};

export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The largest part is the chart library, which is loaded only where something is drawn.
    chunkSizeWarningLimit: 700,
    reportCompressedSize: false,
    // The page's policy allows scripts from files only.
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    // The component library marks its modules for servers that draw pages, which this console has not.
    rolldownOptions: { checks: { moduleLevelDirective: false } },
  },
  server: { port: 5173, proxy: { '/api': service, '/batch': service, '/openapi.json': service, '/_readyz': service } },
});
