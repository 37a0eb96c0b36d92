import { expect, it } from '@jest/globals';
import { initialSettings } from './settings.js';

const gibibyte = 1024 ** 3;

it.each([
  [0, '512MB'],
  [1 * gibibyte, '512MB'],
  [32 * gibibyte, '2048MB'],
  [1024 * gibibyte, '4096MB'],
])('a disk with %d free bytes has room for a log of %s between checkpoints', (free, size) => {
  expect(initialSettings(free).max_wal_size).toBe(size);
});
