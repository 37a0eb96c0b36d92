import { describe, expect, it } from '@jest/globals';
import { type Worker } from 'node:worker_threads';
import { ParserThread, loadParser } from './parser-thread.js';

describe('a thread of the parser', () => {
  it('that has ended between two questions is replaced by another one', async () => {
    const thread = new ParserThread(await loadParser());
    expect(await thread.read('select 1')).toMatchObject({ kind: 'statements' });
    const { worker } = thread as unknown as { readonly worker: Promise<{ readonly worker: Worker }> };
    await (await worker).worker.terminate();
    expect(await thread.read('select 2')).toMatchObject({ kind: 'statements' });
    expect(thread.replaced).toBe(0);
  });

  it('is late where the system does not tell its processor time, and not at fault', async () => {
    const thread = new ParserThread(await loadParser(), { processorMs: 50, wallMs: 200 });
    await thread.start();
    const { worker } = thread as unknown as { readonly worker: Promise<{ thread: string | null }> };
    (await worker).thread = null;
    expect(await thread.read(`select ${'cast('.repeat(60)}`)).toEqual({ kind: 'late', isBusy: false });
  });
});
