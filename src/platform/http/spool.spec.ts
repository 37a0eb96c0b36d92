import { describe, expect, it } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { Spool } from './spool.js';

async function* chunksOf(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) yield await Promise.resolve(text);
}

const contentOf = async (spool: Spool): Promise<string> => {
  const parts: Buffer[] = [];
  for await (const chunk of spool.chunks()) parts.push(Buffer.from(chunk as string));
  await spool.close();
  return Buffer.concat(parts).toString();
};

const texts = Array.from({ length: 500 }, (_, n) => `${n}-ü${'x'.repeat(n)}\n`);
const going = (): boolean => false;

describe('a spool', () => {
  it.each([0, 1, 1000, 1_000_000])('gives back the same text with %d bytes in memory', async (inMemory) => {
    const spool = new Spool(inMemory);
    await spool.fill(chunksOf(texts), going);
    expect(await contentOf(spool)).toBe(texts.join(''));
  });

  it('has no file with a name', async () => {
    const files = async () => (await readdir(tmpdir())).filter((name) => /^kohort-.{6}$/.test(name)).sort();
    const before = await files();
    const spool = new Spool(0);
    await spool.fill(chunksOf(texts), going);
    expect(await files()).toEqual(before);
    await spool.close();
  });

  it('takes no more when its client has gone', async () => {
    let taken = 0;
    const spool = new Spool(0);
    await spool.fill(chunksOf(texts), () => (taken += 1) > 3);
    expect([await contentOf(spool), taken]).toEqual([texts.slice(0, 3).join(''), 4]);
  });

  it('fails as its source fails', async () => {
    const failing = async function* (): AsyncGenerator<string> {
      yield* chunksOf(texts);
      throw new Error('the source failed');
    };
    const spool = new Spool(0);
    await expect(spool.fill(failing(), going)).rejects.toThrow('the source failed');
    await spool.close();
  });
});
