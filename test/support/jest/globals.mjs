/** What the spec files import from '@jest/globals'. */
export let afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test;

/** Each spec file has its own; an import sees that of the file that runs now. */
export const useGlobals = (globals) => {
  ({ afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest, test } = globals);
};
