/**
 * Loaded into the service with `--import`: writes a JSON line for every time the main thread was held.
 * A gap between two ticks is a hold only as far as the thread itself computed: on a busy machine a thread also waits for the processor.
 * Linux only. HOLD_LOG names the file, HOLD_OVER_MS the shortest hold that is written. SIGUSR2 collects all garbage.
 */
import { appendFileSync, openSync, readSync } from 'node:fs';
import { PerformanceObserver, constants, performance } from 'node:perf_hooks';
import { setInterval, setTimeout } from 'node:timers';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const file = process.env.HOLD_LOG;
const overMs = Number(process.env.HOLD_OVER_MS ?? 20);
const everyMs = 5;

const write = (line) => appendFileSync(file, `${JSON.stringify(line)}\n`);

const cpuClock = () => {
  // The main thread of a process has the id of the process.
  const stat = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(64);
  return () => {
    const length = readSync(stat, buffer, 0, buffer.length, 0);
    const text = buffer.toString('latin1', 0, length);
    return Number(text.slice(0, text.indexOf(' '))) / 1e6;
  };
};

const eventsHandled = () => performance.nodeTiming.uvMetricsInfo?.events ?? 0;

const majorKinds = new Set([
  constants.NODE_PERFORMANCE_GC_MAJOR,
  constants.NODE_PERFORMANCE_GC_INCREMENTAL,
  constants.NODE_PERFORMANCE_GC_WEAKCB,
]);

const watch = () => {
  const cpu = cpuClock();
  /** Pauses whose entries came; they come after the turn in which the pause was. */
  const pauses = [];
  new PerformanceObserver((list) => {
    for (const { startTime, duration, detail } of list.getEntries())
      pauses.push({ startTime, duration, major: majorKinds.has(detail.kind) });
    pauses.splice(0, pauses.length - 200);
  }).observe({ entryTypes: ['gc'] });

  let wallBefore = performance.now();
  let cpuBefore = cpu();
  let eventsBefore = eventsHandled();
  const tick = () => {
    const wallNow = performance.now();
    const cpuNow = cpu();
    const eventsNow = eventsHandled();
    if (cpuNow - cpuBefore >= overMs) {
      const hold = { from: wallBefore, to: wallNow, cpu: cpuNow - cpuBefore, events: eventsNow - eventsBefore };
      setTimeout(report, 50, hold);
    }
    [wallBefore, cpuBefore, eventsBefore] = [wallNow, cpuNow, eventsNow];
  };
  const report = ({ from, to, cpu: cpuMs, events }) => {
    const within = pauses.filter(({ startTime, duration }) => startTime < to && startTime + duration > from);
    const sum = (some) => some.reduce((total, { duration }) => total + duration, 0);
    write({
      at: performance.timeOrigin + from,
      wall_ms: to - from,
      cpu_ms: cpuMs,
      gc_ms: sum(within),
      major_gc_ms: sum(within.filter(({ major }) => major)),
      events,
    });
  };
  setInterval(tick, everyMs).unref();
};

const collectOnSignal = () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc');
  process.on('SIGUSR2', () => collect());
};

if (isMainThread && file) {
  watch();
  collectOnSignal();
}
