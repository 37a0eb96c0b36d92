import { expect, it } from '@jest/globals';
import { TickBatcher } from './shared-work.js';

it('loads what is asked within one tick together, for each group apart', async () => {
  const loaded: unknown[] = [];
  const batcher = new TickBatcher<string, number, number>((group, keys) => {
    loaded.push([group, keys]);
    return Promise.resolve(loaded.length);
  });
  const [first, second, third] = [batcher.load('a', 1), batcher.load('a', 2), batcher.load('b', 1)];
  await Promise.resolve();
  const last = batcher.load('a', 1);
  expect(await Promise.all([first, second, third, last])).toEqual([1, 1, 2, 1]);
  await batcher.load('a', 3);
  expect(loaded).toEqual([
    ['a', [1, 2]],
    ['b', [1]],
    ['a', [3]],
  ]);
});
