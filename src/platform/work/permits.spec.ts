import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Permits } from './permits.js';

const refusal = (full: string) => new Error(`full: ${full}`);

describe('permits', () => {
  it('are free again when they are given back, once, and take nothing when a limit refuses', () => {
    const permits = new Permits({ caller: 2, all: 3 }, { refusal });
    const release = permits.take({ caller: 1 });
    permits.take({ caller: 1 });
    expect(() => permits.take({ caller: 1 })).toThrow('full: caller');
    expect(permits.tryTake({ caller: 1 })).toBeNull();
    expect(permits.count).toBe(2);
    release();
    release();
    expect(permits.count).toBe(1);
    permits.take({ caller: 1 });
    permits.take({});
    expect(() => permits.take({ caller: 2 })).toThrow('full: all');
  });

  it('count amounts', () => {
    const permits = new Permits({ project: 10, all: 15 }, { refusal });
    const release = permits.take({ project: 1 }, 7);
    expect(() => permits.take({ project: 1 }, 4)).toThrow('full: project');
    permits.take({ project: 1 }, 3);
    expect(() => permits.take({ project: 2 }, 6)).toThrow('full: all');
    release();
    permits.take({ project: 2 }, 10);
    expect(permits.count).toBe(13);
  });

  it('are waited for by as many as may wait', async () => {
    const permits = new Permits({ all: 1 }, { mostWaiting: 1, refusal });
    const release = await permits.wait({});
    const second = permits.wait({});
    await expect(permits.wait({})).rejects.toThrow('full: all');
    release();
    (await second)();
    expect(permits.count).toBe(0);
  });

  it('are not exceeded by one who waits for several', async () => {
    const permits = new Permits({ project: 1, all: 2 }, { mostWaiting: 9 });
    const [first, second] = [await permits.wait({ project: 1 }), await permits.wait({ project: 2 })];
    const done: string[] = [];
    const waiting = permits.wait({ project: 2 }).then((release) => (done.push('same project'), release()));
    const other = permits.wait({ project: 3 }).then((release) => (done.push('other project'), release()));
    first();
    await other;
    expect(done).toEqual(['other project']);
    second();
    await waiting;
    expect([done, permits.count]).toEqual([['other project', 'same project'], 0]);
  });
});

describe('work on the same thing', () => {
  it('is done in the order it came, and beside work on other things', async () => {
    const permits = new Permits({ thing: 1 }, { mostWaiting: Infinity });
    const seen: string[] = [];
    const work = (thing: string, name: string) =>
      permits.during({ thing }, async () => {
        seen.push(`${name} begins`);
        await sleep(5);
        seen.push(`${name} ends`);
        return name;
      });
    const all = Promise.all([work('a', 'a1'), work('a', 'a2'), work('b', 'b1')]);
    expect(await all).toEqual(['a1', 'a2', 'b1']);
    expect(seen.slice(0, 2)).toEqual(['a1 begins', 'b1 begins']);
    expect(seen.filter((text) => text.startsWith('a'))).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
  });

  it('goes on after a failure, unless it fails those who wait: then they hear so at once', async () => {
    const failsWaiting = (error: unknown) => (error as Error).message === 'away';
    const permits = new Permits({ thing: 1 }, { mostWaiting: Infinity, failsWaiting });
    let done = 0;
    const run = (work: () => Promise<unknown>) => permits.during({ thing: 'a' }, work);
    const fail = (message: string) => async () => {
      await sleep(1);
      throw new Error(message);
    };
    const succeed = () => Promise.resolve((done += 1));
    const results = await Promise.allSettled([
      run(fail('no')),
      run(succeed),
      run(fail('away')),
      run(succeed),
      run(succeed),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected', 'rejected']);
    expect([done, await run(succeed)]).toEqual([1, 2]);
  });
});
