import { describe, expect, it } from '@jest/globals';
import { warningsOf } from './question-warnings.js';

describe('warnings of unknown events', () => {
  it('say what was probably meant, and nothing where no name is near', () => {
    expect(warningsOf(['viewd', 'refunded'], ['paid', 'viewed']).map(({ detail }) => detail)).toEqual([
      'no event named viewd has arrived: did you mean viewed?',
      'no event named refunded has arrived: GET catalogue/events lists those that have',
    ]);
  });

  it('hold the event loop for less than 50 ms, however many and long the names are', () => {
    const names = (count: number, letter: string) =>
      Array.from({ length: count }, (_, n) => `${letter.repeat(54)}${String(n).padStart(6, '0')}`);
    const [unknown, known] = [names(500, 'a'), names(5000, 'b')];
    // The fastest of many is the time of the work itself: other processes take some from most of them.
    const fastest = Math.min(
      ...Array.from({ length: 20 }, () => {
        const began = performance.now();
        expect(warningsOf(unknown, known)).toHaveLength(10);
        return performance.now() - began;
      }),
    );
    expect(fastest).toBeLessThan(50);
  });
});
