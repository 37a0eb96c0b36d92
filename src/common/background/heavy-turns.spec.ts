import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { HeavyTurns } from './heavy-turns.js';

const limits = { waitMs: 1_000 };

describe('the heavy work of a project', () => {
  it('is done one piece at a time, in the order of its requests', async () => {
    const turns = new HeavyTurns();
    const done: string[] = [];
    const work = async (name: string) => {
      const end = await turns.take(1, limits);
      done.push(`${name} begins`);
      await sleep(20);
      done.push(`${name} ends`);
      end();
    };
    await Promise.all(['a', 'b', 'c'].map(work));
    expect(done).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  it('does not wait for that of another project', async () => {
    const turns = new HeavyTurns();
    await turns.take(1, limits);
    const started = performance.now();
    await turns.take(2, limits);
    expect(performance.now() - started).toBeLessThan(500);
  });

  it('waits for a piece that does not end only for a time', async () => {
    const turns = new HeavyTurns();
    await turns.take(1, limits);
    const started = performance.now();
    await turns.take(1, { waitMs: 50 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(45);
  });

  it('lets the next one begin when a piece exceeds its own time', async () => {
    const turns = new HeavyTurns();
    await turns.take(1, { waitMs: 1_000, holdMs: 50 });
    const started = performance.now();
    const end = await turns.take(1, { waitMs: 10_000 });
    expect(performance.now() - started).toBeLessThan(5_000);
    end();
    end();
  });
});
