import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { bootstrapFile, removeDir, start, tempDir, terminate, type RunningProcess } from '../support/process.js';

const preparedWithinMs = 150_000;

let dataDir: string;
let service: RunningProcess;

const prepared = async (): Promise<RunningProcess> => {
  const demo = await start({ DATA_DIR: dataDir }, ['demo']);
  const end = Date.now() + preparedWithinMs;
  while (!demo.output().includes('The demo is ready')) {
    if (Date.now() > end || demo.child.exitCode !== null) throw new Error(demo.output());
    await sleep(200);
  }
  return demo;
};

beforeAll(async () => {
  dataDir = await tempDir();
  service = await prepared();
}, preparedWithinMs + 30_000);
afterAll(async () => {
  await terminate(service);
  await removeDir(dataDir);
});

const ask = async <T>(path: string): Promise<T> => {
  const { project_id, personal_api_key } = await bootstrapFile(dataDir);
  const headers = { authorization: `Bearer ${personal_api_key}` };
  return (await (await fetch(`${service.url}/api/projects/${project_id}${path}`, { headers })).json()) as T;
};

interface Listed<T> {
  readonly count: number;
  readonly results: readonly T[];
}
interface Cohort {
  readonly name: string;
  readonly count: number;
}

describe('npm run demo', () => {
  it('says what it does until the demo can be used, and not that it listens already', () => {
    expect(service.output()).not.toContain('listening');
    const said = ['1 of 3, 100,000 events', '2 of 3, ', '3 of 3, ', 'The demo is ready'];
    const at = said.map((text) => service.output().indexOf(text));
    expect(at.every((position) => position > 0)).toBe(true);
    expect(at).toEqual(at.toSorted((a, b) => a - b));
  });

  it('fills a shop with exactly 100,000 events', async () => {
    expect((await ask<Listed<object>>('/events?limit=1')).count).toBe(100_000);
  });

  it('has three cohorts that are calculated and not empty', async () => {
    const { results } = await ask<Listed<Cohort>>('/cohorts');
    expect(results.map(({ name }) => name).sort()).toEqual([
      'Abandoned carts',
      'Frequent customers',
      'Readers who never bought',
    ]);
    for (const { name, count } of results) {
      expect(count).toBeGreaterThan(20);
      expect(service.output()).toContain(`${name}: ${count.toLocaleString('en')} persons`);
    }
  });

  it('shows a funnel that loses persons at each step', async () => {
    const [, line = ''] = /-d '(\{"events".*\})'/.exec(service.output()) ?? [];
    const { events, date_from } = JSON.parse(line) as { events: object[]; date_from: string };
    const query = new URLSearchParams({ events: JSON.stringify(events), date_from, include: 'insight' });
    const { insight } = await ask<{ insight: { steps: { count: number }[] } }>(`/persons/funnel?${query.toString()}`);
    const counts = insight.steps.map(({ count }) => count);
    expect(counts).toEqual([...counts].sort((a, b) => b - a));
    expect(new Set(counts).size).toBe(4);
    expect(counts.at(-1)).toBeGreaterThan(100);
  });

  // The second start takes as long as the first, so only `npm run test:long` has it.
  const inLongRuns = process.env.KILLS === undefined ? it.skip : it;
  inLongRuns(
    'finds everything there when it starts again',
    async () => {
      await terminate(service);
      service = await prepared();
      expect((await ask<Listed<object>>('/events?limit=1')).count).toBe(100_000);
      expect((await ask<Listed<Cohort>>('/cohorts')).count).toBe(3);
    },
    2 * preparedWithinMs,
  );
});
