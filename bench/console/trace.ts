import { type Page } from 'playwright-core';

export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  /** Microseconds. */
  readonly ts: number;
  readonly dur?: number;
  /** The part of `dur` in which the thread had a processor. */
  readonly tdur?: number;
  readonly args?: { readonly name?: string };
}

/** The trace that the browser writes while it works. */
export const traced = async (page: Page, work: () => Promise<void>): Promise<TraceEvent[]> => {
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

/**
 * The tasks of the thread that draws the page: the one that fires animation frames. The browser writes each task down under two
 * names, one within the other; this one is counted.
 */
export const pageTasks = (events: readonly TraceEvent[]): TraceEvent[] => {
  const thread = events.find(({ name }) => name === 'FireAnimationFrame');
  return events.filter(
    ({ name, pid, tid, dur }) => name === 'RunTask' && pid === thread?.pid && tid === thread.tid && dur !== undefined,
  );
};
