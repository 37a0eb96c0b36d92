import { describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { ActiveProjects } from './active-projects.js';

const pauseAfter = async (active: ActiveProjects, project: number): Promise<number> => {
  const pace = active.pace(project);
  await sleep(50);
  const started = performance.now();
  await pace.step();
  return performance.now() - started;
};

describe('long work', () => {
  it('goes on at once while no other project sends requests', async () => {
    const active = new ActiveProjects();
    expect(await pauseAfter(active, 1)).toBeLessThan(20);
    active.saw(1);
    active.saw(1);
    expect(await pauseAfter(active, 1)).toBeLessThan(20);
  });

  it('pauses for three times as long as it worked while another project does, all work of a project together', async () => {
    const active = new ActiveProjects();
    for (const project of [2, 1, 1]) active.saw(project);
    const [one, another] = await Promise.all([pauseAfter(active, 1), pauseAfter(active, 1)]);
    expect(Math.min(one, another)).toBeGreaterThanOrEqual(145);
    expect(Math.max(one, another)).toBeGreaterThanOrEqual(290);
    expect(await pauseAfter(active, 2)).toBeGreaterThanOrEqual(145);
  });

  it('passes every step on', async () => {
    const steps = async function* () {
      yield* [1, 2, 3];
      await sleep(0);
    };
    const passed: number[] = [];
    for await (const step of new ActiveProjects().pace(1).each(steps())) passed.push(step);
    expect(passed).toEqual([1, 2, 3]);
  });
});
