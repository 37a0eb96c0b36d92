import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { ProblemFilter } from './problem.filter.js';

const lines: Record<string, unknown>[] = [];
const logger = pino({ base: null, timestamp: false }, { write: (line) => void lines.push(JSON.parse(line) as never) });
const refused = Object.assign(new Error('connect ECONNREFUSED 10.0.0.1:5432'), { code: 'ECONNREFUSED' });

describe('the log of failed requests', () => {
  afterEach(() => void (lines.length = 0));

  it('has a line a second and no stack while a store is away', async () => {
    const filter = new ProblemFilter(logger);
    for (let n = 1; n <= 1_000; n += 1) expect(filter.problemOf(refused, `r${n}`).status).toBe(503);
    const line = { level: 50, request_id: 'r1', reason: refused.message, msg: 'request failed' };
    expect(lines).toEqual([line]);
    await sleep(1_500);
    expect(lines).toEqual([line, { ...line, request_id: 'r1000', times: 999 }]);
  });

  it('has each fault of the service itself with its stack', () => {
    const filter = new ProblemFilter(logger);
    for (let n = 0; n < 2; n += 1) expect(filter.problemOf(new TypeError('x is undefined'), 'r').status).toBe(500);
    expect(lines).toMatchObject(Array(2).fill({ err: { name: 'TypeError', stack: expect.stringContaining('at ') } }));
  });
});
