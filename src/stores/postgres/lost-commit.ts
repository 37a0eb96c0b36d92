import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Pool } from 'pg';
import { within } from '../../common/background/within.js';
import { type CommitNotes } from './commit-notes.js';

/** The caller is promised a 503 within 2 s. */
const longestMs = 1_200;
const pauseMs = 50;

/** Whether the transaction `id` was committed. False also when PostgreSQL does not answer within a short time. */
export const isCommitted = async (pool: Pool, { noted }: CommitNotes, id: string): Promise<boolean> => {
  const until = performance.now() + longestMs;
  for (let left = longestMs; left > 0; left = until - performance.now()) {
    const statement = { text: noted.text, values: noted.values, query_timeout: left };
    const reading = pool.query<{ last_commit: string | null }>(statement).catch(() => undefined);
    const answer = await within(left, reading);
    if (answer) return answer.rows[0]?.last_commit === id;
    await sleep(pauseMs);
  }
  return false;
};
