import { type Page } from 'playwright-core';
import { rounded, type Figure } from '../bench.js';

const seconds = 15;
/** As fast as a wheel that is turned without a rest. */
const pixelsPerTurn = 1200;
const longMs = 50;

interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

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
  const { frames, tasks } = timesOf(events);
  const row = await page.evaluate<number>(
    "Math.max(...[...document.querySelectorAll('[data-index]')].map((row) => Number(row.dataset.index)))",
  );
  yield { figure: 'persons of the list', value: persons, unit: 'persons' };
  yield { figure: 'rows scrolled over', value: row, unit: 'rows' };
  yield { figure: 'frames drawn', value: frames.length, unit: 'frames' };
  yield { figure: 'frames over 50 ms', value: over(frames), unit: 'frames', atMost: 0 };
  yield { figure: 'longest frame', value: rounded(Math.max(0, ...frames), 1), unit: 'ms', atMost: longMs };
  yield { figure: 'tasks over 50 ms', value: over(tasks), unit: 'tasks', atMost: 0 };
  yield { figure: 'longest task', value: rounded(Math.max(0, ...tasks), 1), unit: 'ms', atMost: longMs };
}

const over = (times: readonly number[]): number => times.filter((ms) => ms > longMs).length;

const traced = async (page: Page, work: () => Promise<void>): Promise<TraceEvent[]> => {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  const ended = new Promise<void>((resolve) => session.once('Tracing.tracingComplete', () => resolve()));
  const includedCategories = ['devtools.timeline', 'disabled-by-default-devtools.timeline', 'toplevel', '__metadata'];
  await session.send('Tracing.start', { transferMode: 'ReportEvents', traceConfig: { includedCategories } });
  await work();
  await session.send('Tracing.end');
  await ended;
  return events;
};

/** Milliseconds from each frame to the next, and of each task, on the thread that fires the animation frames. */
const timesOf = (events: readonly TraceEvent[]): { frames: number[]; tasks: number[] } => {
  const fired = events.filter(({ name }) => name === 'FireAnimationFrame').sort((a, b) => a.ts - b.ts);
  const [thread] = fired;
  const isOfPage = ({ pid, tid }: TraceEvent) => pid === thread?.pid && tid === thread.tid;
  const moments = fired.filter(isOfPage).map(({ ts }) => ts / 1000);
  const frames = moments.slice(1).map((moment, at) => moment - (moments[at] ?? moment));
  const tasks = events.filter((event) => isOfPage(event) && /RunTask$/.test(event.name) && event.dur !== undefined);
  return { frames, tasks: tasks.map(({ dur = 0 }) => dur / 1000) };
};
