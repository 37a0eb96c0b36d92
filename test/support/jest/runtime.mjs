import Runtime from 'jest-runtime';
import { register } from 'node:module';
import { pathToFileURL, URLSearchParams } from 'node:url';
import { useGlobals } from './globals.mjs';
import { SourceMaps } from './typescript.mjs';

const environmentOfWorker = { ...process.env };

/** What a spec file sets holds for no other. */
const resetEnvironment = () => {
  for (const name of Object.keys(process.env)) if (!(name in environmentOfWorker)) delete process.env[name];
  Object.assign(process.env, environmentOfWorker);
};

/** Matchers compare with these, and jest gives each spec file a context with others of the same names. */
const shared = [
  ...['Object', 'Function', 'Array', 'Number', 'String', 'Boolean', 'BigInt', 'Symbol', 'Date', 'RegExp', 'Promise'],
  ...['Map', 'Set', 'WeakMap', 'WeakSet', 'Error', 'TypeError', 'RangeError', 'SyntaxError', 'AggregateError'],
];

const sourceMaps = new SourceMaps();
let registered = false;
let runs = 0;

/**
 * Lets Node load the spec files and everything they import. By default jest evaluates all modules again for each spec file,
 * NestJS and TypeORM too, which took longer than most tests; so a worker evaluates each of them once.
 */
export default class extends Runtime {
  constructor(config, environment, ...rest) {
    super(config, environment, ...rest);
    for (const name of shared) environment.global[name] = globalThis[name];
  }

  getSourceMaps() {
    return sourceMaps;
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    this.globals = globals;
  }

  get hooks() {
    return new URL('./typescript-hooks.mjs', import.meta.url);
  }

  queryOf() {
    return {};
  }

  async unstable_importModule(file) {
    if (!registered) register(this.hooks);
    registered = true;
    resetEnvironment();
    useGlobals({ ...this.globals, jest: this.jestGlobals.jestObjectFor(file) });
    const url = pathToFileURL(file);
    // Numbered, because jest may run a file again in the same process.
    url.search = new URLSearchParams({ run: (runs += 1), ...this.queryOf() });
    await import(url.href);
  }
}
