import { describe, expect, it } from '@jest/globals';
import { progressOf } from './progress.js';

const recorder = (isTTY: boolean) => {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) > 0 };
};

describe('progress', () => {
  it('is a bar on a terminal, redrawn in place', () => {
    const screen = recorder(true);
    const progress = progressOf('events', 200, {}, screen);
    progress.show(100);
    progress.show(101);
    progress.end();
    expect(screen.written[0]).toMatch(/^\r█{15}░{15} 50 % {2}[\d,]+ events\/s/);
    expect(screen.written).toHaveLength(3);
    expect(screen.written.at(-1)).toBe('\n');
  });

  it('is one line elsewhere', () => {
    const file = recorder(false);
    const progress = progressOf('events', 2000, {}, file);
    progress.show(1000);
    progress.show(2000);
    progress.end();
    expect(file.written.join('')).toMatch(/^2,000 of 2,000 events written, [\d,]+ events\/s\n$/);
  });
});
