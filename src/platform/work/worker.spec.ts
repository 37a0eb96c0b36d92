import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../../test/support/until.js';
import { loadConfig } from '../config/config.js';
import { type Logger } from '../telemetry/logger.js';
import { Metrics } from '../telemetry/metrics.js';
import { WorkEnded } from '../errors/work-ended.js';
import { commits } from './commits.js';
import { type Worker } from './worker.js';
import { Workers, type RegisteredWork } from './workers.js';

let lines: unknown[][];
let workers: Workers;

const newWorkers = (env: Record<string, string> = {}): Workers => {
  const line = (...words: unknown[]) => void lines.push(words);
  return new Workers(loadConfig(env), { info: line, warn: line, error: line } as unknown as Logger);
};
beforeEach(() => {
  lines = [];
  workers = newWorkers();
});
afterEach(() => workers.stop());

/** Rounds with these outcomes, one after the other; all further ones are like the last. Returns when they began. */
const add = (outcomes: readonly (number | null | Error)[], more: Partial<RegisteredWork> = {}) => {
  const starts: number[] = [];
  const round = (): Promise<number | null> => {
    const at = Math.min(starts.push(performance.now()), outcomes.length) - 1;
    const outcome = outcomes[at] ?? null;
    return outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome);
  };
  const worker = workers.add({ name: 'sums', warning: 'sums cannot be made at the moment', round, ...more });
  return { starts, worker, pauses: () => starts.slice(1).map((at, n) => Math.round(at - (starts[n] ?? 0))) };
};

const hour = 3_600_000;

/** Spec files of one process share these counters, so only differences are compared. */
const countedBy = async (name: string, labels: string): Promise<number> => {
  const text = await new Metrics().registry.metrics();
  return Number(new RegExp(`^${name}{${labels}} (\\d+)$`, 'm').exec(text)?.[1]);
};
const arrivalRuns = (outcome: string) =>
  countedBy('kohort_background_run_seconds_count', `task="arrivals",outcome="${outcome}"`);
const defects = () => countedBy('kohort_unexpected_errors_total', 'kind="background_loop"');

describe('a worker', () => {
  it('comes back when its round says, or when it is woken', async () => {
    const { starts, worker, pauses } = add([0, 60, hour]);
    workers.start();
    await until(() => starts.length === 3);
    expect(pauses()[0]).toBeLessThan(40);
    expect(pauses()[1]).toBeGreaterThanOrEqual(58);
    await sleep(50);
    expect(starts).toHaveLength(3);
    worker.wake();
    await until(() => starts.length === 4, { withinMs: 500 });
  });

  it('that finds nothing to do looks often where other processes make work', async () => {
    workers = newWorkers({ DATABASE_URL: 'postgres://a' });
    const { starts, pauses } = add([null], { pollMs: 40 });
    workers.start();
    await until(() => starts.length === 4);
    for (const pause of pauses()) expect(pause).toBeGreaterThanOrEqual(38);
  });

  it('that finds nothing to do waits for a commit, or for 10 s, where no other process makes work', async () => {
    const { starts, worker, pauses } = add([null], { pollMs: 40 });
    workers.start();
    await until(() => starts.length === 1);
    // A commit during the round, or soon after it, ends only the first pause.
    commits.notify();
    await until(() => starts.length === 2, { withinMs: 500 });
    expect(pauses()[0]).toBeGreaterThanOrEqual(38);
    await sleep(300);
    expect(starts).toHaveLength(2);
    commits.notify();
    await until(() => starts.length === 3, { withinMs: 500 });
    worker.wake();
    await until(() => starts.length === 4, { withinMs: 500 });
    await until(() => starts.length === 5, { withinMs: 15_000 });
    expect(pauses()[3]).toBeGreaterThanOrEqual(9_990);
  });

  it('that waits for the same commit as others looks after them, unless it is woken itself', async () => {
    const all = Array.from({ length: 8 }, () => add([null], { pollMs: 1 }));
    const rounds = () => all.map(({ starts }) => starts.length);
    workers.start();
    await until(() => rounds().every((number) => number === 1));
    await sleep(50);
    const committedAt = performance.now();
    commits.notify();
    all[7]?.worker.wake();
    await until(() => rounds().every((number) => number === 2), { withinMs: 1_000 });
    const waits = all.map(({ starts }) => (starts[1] ?? 0) - committedAt);
    for (const [at, wait] of waits.slice(0, 7).entries()) expect(wait).toBeGreaterThanOrEqual(at * 15 - 2);
    expect(waits[7]).toBeLessThanOrEqual(waits[1] ?? 0);
  });

  it('waits longer after each further failure, wakes from none, warns once, and says when it succeeds again', async () => {
    const failures: unknown[] = [];
    const broken = new Error('broken');
    const { starts, worker, pauses } = add([broken, broken, broken, broken, hour], {
      retryMs: [40, 100],
      onFailure: (error) => failures.push(error),
    });
    workers.start();
    while (starts.length < 5) {
      worker.wake();
      await sleep(1);
    }
    for (const [at, least] of [40, 80, 100, 100].entries()) expect(pauses()[at]).toBeGreaterThanOrEqual(least - 2);
    expect(pauses()[3]).toBeLessThan(160);
    expect(failures).toEqual([broken, broken, broken, broken]);
    await until(() => lines.length > 1);
    expect(lines).toEqual([
      [{ err: broken, failures: 1, retryMs: 40 }, 'sums cannot be made at the moment'],
      [{ work: 'sums', failures: 4 }, 'background work succeeds again'],
    ]);
  });

  it('goes on at once, and says nothing, when another process has taken its work over', async () => {
    const { starts } = add([new WorkEnded('taken over'), hour], { retryMs: [hour, hour] });
    workers.start();
    await until(() => starts.length === 2);
    expect(lines).toEqual([]);
  });

  it('goes on after a defect of its own, which is reported and counted', async () => {
    const defect = new Error('no failure of a round');
    const before = await defects();
    const { starts } = add([new Error('broken'), hour], {
      onFailure: () => {
        throw defect;
      },
    });
    workers.start();
    await until(() => starts.length === 2);
    expect(lines[0]).toEqual([{ work: 'sums', err: defect }, 'background work has a defect, and goes on']);
    expect((await defects()) - before).toBe(1);
  });

  it('ends its round when the process stops, then does what comes last, within 3 s', async () => {
    let [isEnded, hasLeft] = [false, false];
    const worker: Worker = workers.add({
      ...{ name: 'long', warning: 'long' },
      round: () => sleep(hour, hour, { signal: worker.stopping }),
      end: () => Promise.resolve((isEnded = true)),
    });
    workers.add({ name: 'deaf', warning: 'deaf', round: () => new Promise<number>(() => (hasLeft = true)) });
    workers.start();
    await until(() => hasLeft);
    const starts = performance.now();
    await workers.stop();
    expect(performance.now() - starts).toBeLessThan(3_200);
    expect([isEnded, worker.isRunning, lines]).toEqual([true, false, []]);
    workers = newWorkers();
  });

  it('does its rounds in processes that work in the background, or everywhere, or alone when it is named', async () => {
    workers = newWorkers({ ROLE: 'api', DATABASE_URL: 'postgres://a', CLICKHOUSE_URL: 'http://a' });
    const [one, other, everywhere] = [
      add([hour], { name: 'one' }),
      add([hour], { name: 'other' }),
      add([hour], { isEverywhere: true }),
    ];
    const rounds = () => [one, other, everywhere].map(({ starts }) => starts.length);
    workers.start();
    await sleep(30);
    expect(rounds()).toEqual([0, 0, 1]);
    workers.startOnly(['other']);
    await sleep(30);
    expect(rounds()).toEqual([0, 1, 1]);
  });
});

describe('work with a period', () => {
  it('begins with a pause, and counts a run as failed when it throws, or when a part of it fails', async () => {
    let runs = 0;
    const [doneBefore, failedBefore] = [await arrivalRuns('done'), await arrivalRuns('failed')];
    const broken = new Error('all of it');
    const starts = performance.now();
    const worker = workers.every(30, {
      ...{ name: 'sweep', task: 'arrivals', warning: 'it is tried again' },
      run: () => {
        runs += 1;
        if (runs === 1) expect(performance.now() - starts).toBeGreaterThanOrEqual(28);
        if (runs === 1) return Promise.reject(broken);
        if (runs === 2) worker.partFailed(new Error('a part'), { project: 7 });
        return Promise.resolve();
      },
    });
    workers.start();
    await until(() => runs >= 4);
    await workers.stop();
    expect((await arrivalRuns('failed')) - failedBefore).toBe(2);
    // The last run may be that of the end, which is not counted.
    expect([runs - 3, runs - 2]).toContain((await arrivalRuns('done')) - doneBefore);
    expect(await new Metrics().registry.metrics()).toMatch(
      /^kohort_background_last_success_timestamp_seconds\{task="arrivals"\} \d+/m,
    );
    expect(lines).toEqual([
      [{ err: broken, failures: 1, retryMs: 30 }, 'it is tried again'],
      [{ err: new Error('a part'), project: 7 }, 'it is tried again'],
      [{ work: 'sweep', failures: 1 }, 'background work succeeds again'],
    ]);
  });
});
