import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startHeavyWork } from './heavy-work.js';

const limits = { waitMs: 1_000 };

describe('the heavy work of a project', () => {
  it('is done one piece at a time, in the order of its requests', async () => {
    const done: string[] = [];
    const work = async (name: string) => {
      const end = await startHeavyWork(1, limits);
      done.push(`${name} begins`);
      await sleep(20);
      done.push(`${name} ends`);
      end();
    };
    await Promise.all(['a', 'b', 'c'].map(work));
    expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not wait for that of another project', async () => {
    await startHeavyWork(2, limits);
    const started = performance.now();
    await startHeavyWork(3, limits);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('waits for a piece that does not end only for a time', async () => {
    await startHeavyWork(4, limits);
    const started = performance.now();
    await startHeavyWork(4, { waitMs: 50 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
  });

  it('lets the next one begin when a piece exceeds its own time', async () => {
    await startHeavyWork(5, { waitMs: 1_000, holdMs: 50 });
    const started = performance.now();
    const end = await startHeavyWork(5, { waitMs: 10_000 });
    expect(performance.now() - started).toBeLessThan(5_000);
    end();
    end();
  });
});
