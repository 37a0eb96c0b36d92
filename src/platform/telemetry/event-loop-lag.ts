import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge, type Registry } from 'prom-client';

const sampleEveryMs = 10;
const lookEveryMs = 2_000;
/** A tenth of a processor, which is more than the samples themselves use. */
const busyMicroseconds = 0.1 * lookEveryMs * 1_000;
const nanoseconds = 1e9;

/** Counted per process and not per service, as there is one event loop. */
const delays = monitorEventLoopDelay({ resolution: sampleEveryMs });
let looking: NodeJS.Timeout | undefined;

/** Samples wake the process a hundred times a second, so they are taken only while the process is busy. */
const sampleWhileBusy = (): void => {
  let before = process.cpuUsage();
  looking ??= setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (user + system > busyMicroseconds) delays.enable();
    else delays.disable();
    before = process.cpuUsage();
  }, lookEveryMs).unref();
};

const figures: readonly (readonly [name: string, what: string, read: () => number])[] = [
  ['min', 'minimum', () => delays.min],
  ['max', 'maximum', () => delays.max],
  ['mean', 'mean', () => delays.mean],
  ['stddev', 'standard deviation', () => delays.stddev],
  ['p50', '50th percentile', () => delays.percentile(50)],
  ['p90', '90th percentile', () => delays.percentile(90)],
  ['p99', '99th percentile', () => delays.percentile(99)],
];

/** Replaces metrics of prom-client, for which it samples all the time. Without samples since the last scrape they are 0. */
export const registerEventLoopLag = (registry: Registry): void => {
  sampleWhileBusy();
  for (const [at, [figure, what, read]] of figures.entries()) {
    const name = `nodejs_eventloop_lag_${figure}_seconds`;
    registry.removeSingleMetric(name);
    new Gauge({
      name,
      help: `The ${what} of the event loop delays since the last scrape`,
      registers: [registry],
      collect() {
        this.set(delays.count === 0 ? 0 : read() / nanoseconds);
        if (at === figures.length - 1) delays.reset();
      },
    });
  }
};
