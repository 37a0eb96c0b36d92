import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { Pool } from 'pg';
import { freshStores } from '../../support/fresh-stores.js';
import { insertProject } from '../../support/insert-project.js';
import { nextQueued, queueStale } from '../../../src/cohorts/record/calculations.repository.js';

let stores: Awaited<ReturnType<typeof freshStores>>;
let pool: Pool;

beforeAll(async () => {
  stores = await freshStores();
  pool = new Pool({ connectionString: stores.databaseUrl.href, max: 2 });
});
afterAll(async () => {
  await pool.end();
  await stores.remove();
});

const hourMs = 3_600_000;
const now = new Date('2026-06-15T12:00:00Z');
const hours = (after: number | null): Date | null => (after === null ? null : new Date(now.getTime() + after * hourMs));

it.each([
  ['was never calculated', null, null, true],
  ['was calculated lately', -0.5, null, false],
  ['was calculated a day ago', -24, null, true],
  ['has failed, and pauses', -2, 1, false],
  ['has failed, and has paused', -2, -1, true],
  ['was calculated in the future, by a clock that was set back since', 1, null, true],
  ['has failed in the future, by a clock that was set back since', 1, 2, true],
] as const)('a cohort that %s', async (_, lastAttempt, calculateAfter, isQueued) => {
  const project = await insertProject(pool);
  await pool.query(
    `INSERT INTO cohorts (project_id, name, description, groups, is_static, deleted, is_calculating, pending_version,
       attempted_version, errors_calculating, created_at, updated_at, last_attempt_at, calculate_after)
     VALUES ($1, 'c', '', '[]', false, false, false, 1, 1, $2, now(), now(), $3, $4)`,
    [project, calculateAfter === null ? 0 : 1, hours(lastAttempt), hours(calculateAfter)],
  );
  await queueStale(pool, now, hourMs);
  const queued = await nextQueued(pool, now, [], true);
  expect(queued.some(({ projectId }) => projectId === project)).toBe(isQueued);
});
