import { expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { RepeatedLines } from './repeated-lines.js';

it('writes a reason at once, then with its number after a while, until there is none', async () => {
  const lines = new RepeatedLines(100);
  const written: [string, number][] = [];
  const fail = (reason: string) => lines.add(reason, (times) => written.push([reason, times]));
  for (let n = 0; n < 5; n += 1) fail('away');
  fail('full');
  expect(written.splice(0)).toEqual([
    ['away', 1],
    ['full', 1],
  ]);
  await sleep(300);
  expect(written.splice(0)).toEqual([['away', 4]]);
  fail('away');
  expect(written).toEqual([['away', 1]]);
});
