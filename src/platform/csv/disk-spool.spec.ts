import { describe, expect, it } from '@jest/globals';
import { DiskSpool } from './disk-spool.js';

describe('a spool on disk', () => {
  it('gives back every record, however fast they come', async () => {
    const record = 'x'.repeat(100_000);
    async function* records() {
      for (let at = 0; at < 300; at += 1) {
        yield `${at} ${record}`;
        // Lets the disk catch up in the very tick in which a record is written.
        if (at % 3 === 0) await new Promise(setImmediate);
      }
    }
    const spool = await DiskSpool.fill(records());
    let at = 0;
    for await (const found of spool.records()) {
      expect(found === `${at} ${record}`).toBe(true);
      at += 1;
    }
    expect(at).toBe(300);
    await spool.remove();
  });
});
