import { expect, it } from '@jest/globals';
import { type ProjectContext } from '../access/project-context.js';
import { FreshData } from './fresh-data.js';

it('only the first calculation waits long for a projection that is late', async () => {
  let [waits, complete] = [0, false];
  const asOf = new Date('2026-01-01');
  const fresh = new FreshData({
    waitUntilFresh: () => {
      waits += 1;
      return Promise.resolve({ asOf, complete, position: '' });
    },
  });
  const waitsOfOne = async () => {
    const before = waits;
    expect(await fresh.until({ id: 1 } as ProjectContext, asOf, new AbortController().signal)).toBe(asOf);
    return waits - before;
  };
  expect([await waitsOfOne(), await waitsOfOne(), await waitsOfOne()]).toEqual([10, 1, 1]);
  complete = true;
  expect(await waitsOfOne()).toBe(1);
  complete = false;
  expect(await waitsOfOne()).toBe(10);
});
