import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { BackupKey } from './backup-key.js';
import { decrypted, encrypted } from './encryption.js';

const key = new BackupKey(randomBytes(32));
const header = 8 + 32;
const chunk = 4 + 1024 ** 2 + 16;

describe('an encrypted file', () => {
  it.each([0, 1, 1024 ** 2 - 1, 1024 ** 2, 1024 ** 2 + 1, 3 * 1024 ** 2 + 5])('of %i bytes comes back', (bytes) => {
    const plain = randomBytes(bytes);
    const stored = encrypted(plain, key);
    expect(decrypted(stored, key).equals(plain)).toBe(true);
    expect(stored.length).toBe(header + Math.max(1, Math.ceil(bytes / 1024 ** 2)) * 20 + bytes);
  });

  it('has other bytes each time, and none of the plain ones', () => {
    const plain = Buffer.from('ada@example.test');
    expect(encrypted(plain, key).equals(encrypted(plain, key))).toBe(false);
    expect(encrypted(plain, key).includes(plain)).toBe(false);
  });

  it('is refused with another key', () => {
    expect(() => decrypted(encrypted(Buffer.from('x'), key), new BackupKey(randomBytes(32)))).toThrow();
  });

  it('is refused when any byte of it has changed', () => {
    const stored = encrypted(Buffer.from('twelve bytes'), key);
    for (let at = 0; at < stored.length; at += 1) {
      const damaged = Buffer.from(stored);
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(() => decrypted(damaged, key)).toThrow();
    }
  });

  it('is refused when chunks change places, are missing at the end or are added', () => {
    const stored = encrypted(randomBytes(3 * 1024 ** 2), key);
    const chunkAt = (nth: number) => stored.subarray(header + nth * chunk, header + (nth + 1) * chunk);
    const of = (...chunks: Buffer[]) => Buffer.concat([stored.subarray(0, header), ...chunks]);
    expect(decrypted(of(chunkAt(0), chunkAt(1), chunkAt(2)), key)).toHaveLength(3 * 1024 ** 2);
    expect(() => decrypted(of(chunkAt(1), chunkAt(0), chunkAt(2)), key)).toThrow();
    expect(() => decrypted(of(chunkAt(0), chunkAt(1)), key)).toThrow();
    expect(() => decrypted(of(chunkAt(0), chunkAt(1), chunkAt(2), chunkAt(2)), key)).toThrow();
    expect(() => decrypted(of(), key)).toThrow();
  });
});
