import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { OneAtATime } from './one-at-a-time.js';

describe('work on the same thing', () => {
  it('is done in the order it came, and beside work on other things', async () => {
    const turns = new OneAtATime();
    const seen: string[] = [];
    const work = (name: string) => async () => {
      seen.push(`${name} begins`);
      await sleep(5);
      seen.push(`${name} ends`);
      return name;
    };
    const all = Promise.all([turns.run('a', work('a1')), turns.run('a', work('a2')), turns.run('b', work('b1'))]);
    expect(await all).toEqual(['a1', 'a2', 'b1']);
    expect(seen.slice(0, 2)).toEqual(['a1 begins', 'b1 begins']);
    expect(seen.filter((text) => text.startsWith('a'))).toEqual(['a1 begins', 'a1 ends', 'a2 begins', 'a2 ends']);
  });

  it('goes on after a failure, unless the database is away: then those who wait hear so at once', async () => {
    const turns = new OneAtATime();
    let done = 0;
    const fail = (code: string) => async () => {
      await sleep(1);
      throw Object.assign(new Error(code), { code });
    };
    const succeed = () => Promise.resolve((done += 1));
    const results = await Promise.allSettled([
      turns.run('a', fail('23505')),
      turns.run('a', succeed),
      turns.run('a', fail('ECONNREFUSED')),
      turns.run('a', succeed),
      turns.run('a', succeed),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected', 'rejected']);
    expect([done, await turns.run('a', succeed)]).toEqual([1, 2]);
  });
});
