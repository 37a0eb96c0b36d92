import { type Page } from 'playwright-core';
import { rounded, type Figure } from '../bench.js';
import { pageTasks, traced, type TraceEvent } from './trace.js';

const seconds = 15;
/** As fast as a wheel that is turned without a rest. */
const pixelsPerTurn = 1200;
const longMs = 50;

/** A list of persons is scrolled by the wheel while the browser writes down each frame and each task of the page's thread. */
export async function* scrollFigures(page: Page, address: URL, persons: number): AsyncGenerator<Figure> {
  await page.goto(String(address));
  await page.locator('[role=grid] [data-index]').first().waitFor();
  await page.mouse.move(700, 500);
  // An animation that never ends asks for every frame, also for those that scrolling alone would not need.
  await page.evaluate('(function next() { requestAnimationFrame(next); })()');
  const scroll = async (until: number): Promise<void> => {
    while (performance.now() < until) {
      await page.mouse.wheel(0, pixelsPerTurn);
      await page.waitForTimeout(16);
    }
  };
  await scroll(performance.now() + 2000);
  const events = await traced(page, () => scroll(performance.now() + seconds * 1000));
  const { frames, tasks, work, workInFrames } = timesOf(events);
  const row = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('[data-index]')].map((row) => Number(row.dataset.index)))",
  );
  yield { figure: 'persons of the list', value: persons, unit: 'persons' };
  yield { figure: 'rows scrolled over', value: row, unit: 'rows' };
  yield { figure: 'frames drawn', value: frames.length, unit: 'frames' };
  yield { figure: 'frames over 50 ms', value: over(frames), unit: 'frames', atMost: 0 };
  yield { figure: 'longest frame', value: largest(frames), unit: 'ms', atMost: longMs };
  yield { figure: 'tasks over 50 ms', value: over(tasks), unit: 'tasks', atMost: 0 };
  yield { figure: 'longest task', value: largest(tasks), unit: 'ms', atMost: longMs };
  // On a machine that others use too, a thread also waits for a processor. These figures are of the console alone.
  const processor = 'processor time of the page';
  yield { figure: `tasks over 50 ms, ${processor}`, value: over(work), unit: 'tasks', atMost: 0 };
  yield { figure: `longest task, ${processor}`, value: largest(work), unit: 'ms', atMost: longMs };
  yield { figure: `frames over 50 ms, ${processor}`, value: over(workInFrames), unit: 'frames', atMost: 0 };
  yield { figure: `longest frame, ${processor}`, value: largest(workInFrames), unit: 'ms', atMost: longMs };
}

const largest = (times: readonly number[]): number => rounded(Math.max(0, ...times), 1);

const over = (times: readonly number[]): number => times.filter((ms) => ms > longMs).length;

interface Times {
  /** Milliseconds from each frame to the next. */
  readonly frames: readonly number[];
  /** Milliseconds of each task, and those in which it had a processor. */
  readonly tasks: readonly number[];
  readonly work: readonly number[];
  /** Milliseconds of processor time from each frame to the next. */
  readonly workInFrames: readonly number[];
}

/** Of the thread that fires the animation frames. */
const timesOf = (events: readonly TraceEvent[]): Times => {
  const fired = events.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts);
  const tasks = pageTasks(events);
  const [thread] = tasks;
  const moments = fired.filter(({ pid, tid }) => pid === thread?.pid && tid === thread.tid).map(({ ts }) => ts / 1000);
  const frames = moments.slice(1).map((moment, at) => moment - (moments[at] ?? moment));
  const workInFrames = frames.map((length, at) => {
    const from = moments[at] ?? 0;
    const own = tasks.filter(({ ts }) => ts / 1000 >= from && ts / 1000 < from + length);
    return own.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0);
  });
  return {
    frames,
    tasks: tasks.map(({ dur = 0 }) => dur / 1000),
    work: tasks.map(({ tdur = 0 }) => tdur / 1000),
    workInFrames,
  };
};
