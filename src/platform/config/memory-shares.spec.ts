import { describe, expect, it } from '@jest/globals';
import { memoryShares } from './memory-shares.js';

const mebibyte = 1024 ** 2;
const inMiB = (shares: object) =>
  Object.fromEntries(Object.entries(shares).map(([name, bytes]) => [name, Math.round((bytes as number) / mebibyte)]));

describe('the shares of a memory budget', () => {
  it('leave the engine of a small container what the heap, PostgreSQL and the code do not need', () => {
    const { questionsAtATime, partsOfMerge, ...shares } = memoryShares(768 * mebibyte);
    expect([questionsAtATime, partsOfMerge]).toEqual([2, 4]);
    expect(inMiB(shares)).toEqual({
      budget: 768,
      engine: 268,
      question: 161,
      engineCaches: 67,
      recentEvents: 16,
      bodies: 64,
      postgresPages: 24,
    });
  });

  it('of a large one are what a machine without a limit has, and bound the engine', () => {
    const { questionsAtATime, partsOfMerge, ...shares } = memoryShares(16_384 * mebibyte);
    const without = memoryShares();
    expect(questionsAtATime).toBe(without.questionsAtATime);
    expect(partsOfMerge).toBeNull();
    expect(inMiB(shares)).toMatchObject({ engine: 9830, question: 1536, recentEvents: 64, bodies: 256 });
    expect(without).toMatchObject({ bodies: 256 * mebibyte, recentEvents: 64 * mebibyte });
  });

  it.each([640, 768, 1024, 2048, 8192, 65_536])('of %d MiB are no more than it', (budget) => {
    const { engine, recentEvents, bodies, postgresPages, question, engineCaches } = memoryShares(budget * mebibyte);
    expect((engine ?? 0) + recentEvents + bodies + (postgresPages ?? 0)).toBeLessThan(0.75 * budget * mebibyte);
    expect(question + engineCaches).toBeLessThan(engine ?? 0);
  });
});
