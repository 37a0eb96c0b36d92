import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectionSlots } from './connection.js';

describe('slots for connections', () => {
  it('leave one for another project, however many reads the first has', async () => {
    const inSlot = connectionSlots(3, { alone: 2, crowded: 2 });
    let running = 0;
    let most = 0;
    const read = async () => {
      most = Math.max(most, (running += 1));
      await sleep(50);
      running -= 1;
    };
    const flood = Promise.all(Array.from({ length: 10 }, () => inSlot({ id: 1 }, read)));
    const started = Date.now();
    await inSlot({ id: 2 }, () => Promise.resolve());
    expect(Date.now() - started).toBeLessThan(50);
    await flood;
    expect(most).toBe(2);
  });

  it('are released by work that fails', async () => {
    const inSlot = connectionSlots(1, { alone: 1, crowded: 1 });
    await expect(inSlot({ id: 1 }, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(inSlot({ id: 1 }, () => Promise.resolve(1))).resolves.toBe(1);
  });

  it('refuse with a time to come back when the queue of a project is full', async () => {
    const inSlot = connectionSlots(1, { alone: 1, crowded: 1 });
    let end = () => undefined as void;
    const long = inSlot({ id: 1 }, () => new Promise<void>((resolve) => (end = resolve)));
    const waiting = Array.from({ length: 64 }, () => inSlot({ id: 1 }, () => Promise.resolve()));
    await expect(inSlot({ id: 1 }, () => Promise.resolve())).rejects.toMatchObject({
      status: 503,
      headers: { 'Retry-After': '1' },
    });
    end();
    await Promise.all([long, ...waiting]);
  });
});
