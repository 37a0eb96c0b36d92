import Runtime from '../support/jest/runtime.mjs';

/** Runs spec files with the mutant that `globalThis.mutant` names, or without one. */
export default class extends Runtime {
  get hooks() {
    return new URL('./hooks.mjs', import.meta.url);
  }

  queryOf() {
    return globalThis.mutant ? { mutant: globalThis.mutant } : {};
  }
}
