import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAwake } from './awake.js';

const standStill = (ms: number): void => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
};

describe('time in which the process ran', () => {
  it('passes by the clock while it does', async () => {
    const started = performance.now();
    await new Promise<void>((resolve) => {
      afterAwake(100, resolve);
    });
    expect(performance.now() - started).toBeGreaterThanOrEqual(95);
  });

  it('does not pass while the process stands still', async () => {
    let isOver = false;
    const cancel = afterAwake(200, () => (isOver = true));
    standStill(400);
    await sleep(0);
    expect(isOver).toBe(false);
    cancel();
    await sleep(400);
    expect(isOver).toBe(false);
  });
});
