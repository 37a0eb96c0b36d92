import { describe, expect, it } from '@jest/globals';
import { type Worker } from 'node:worker_threads';
import { loadParser, ParserThread } from './parser-thread.js';

describe('a thread of the parser', () => {
  it('that has ended between two questions is replaced by another one', async () => {
    const thread = new ParserThread(await loadParser());
    expect(await thread.read('select 1')).toMatchObject({ kind: 'statements' });
    const { worker } = thread as unknown as { readonly worker: Promise<Worker> };
    await (await worker).terminate();
    expect(await thread.read('select 2')).toMatchObject({ kind: 'statements' });
    expect(thread.replaced).toBe(0);
  });
});
