/** What the spec files import from '@jest/globals': that of the spec file that runs now. */
const current = (name) =>
  new Proxy(() => undefined, {
    apply: (_target, _this, args) => globalThis.jestGlobals[name](...args),
    get: (_target, property) => globalThis.jestGlobals[name][property],
  });

export const afterAll = current('afterAll');
export const afterEach = current('afterEach');
export const beforeAll = current('beforeAll');
export const beforeEach = current('beforeEach');
export const describe = current('describe');
export const expect = current('expect');
export const it = current('it');
export const jest = current('jest');
export const test = current('test');
