import { afterEach, expect, it } from '@jest/globals';
import { loadConfig } from '../../config/config.js';
import { type Logger } from '../logging/logger.js';
import { Metrics } from '../metrics/metrics.js';
import { PeriodicSweep } from './periodic-sweep.js';

const warned: unknown[] = [];
const logger = { warn: (about: object, message: string) => warned.push([about, message]) } as unknown as Logger;

class TestSweep extends PeriodicSweep {
  readonly ended: Promise<void>;
  private end = (): void => undefined;
  private runs = 0;

  constructor() {
    super(loadConfig({}), logger, 'arrivals', 1, 'it is tried again');
    this.ended = new Promise((resolve) => (this.end = resolve));
  }

  run(): Promise<void> {
    this.runs += 1;
    if (this.runs === 1) return Promise.reject(new Error('all of it'));
    if (this.runs === 2) this.failed(new Error('a part'), { project: 7 });
    if (this.runs === 4) this.end();
    return Promise.resolve();
  }
}

let sweep: TestSweep;
afterEach(() => sweep.beforeApplicationShutdown());

it('counts a run as failed when it throws, or when a part of it fails', async () => {
  sweep = new TestSweep();
  sweep.onApplicationBootstrap();
  // The fourth run is that of the test's end, and may not be counted.
  await sweep.ended;
  await sweep.beforeApplicationShutdown();
  const text = await new Metrics().registry.metrics();
  expect(text).toContain('kohort_background_run_seconds_count{task="arrivals",outcome="failed"} 2\n');
  expect(text).toMatch(/^kohort_background_run_seconds_count\{task="arrivals",outcome="done"\} [12]$/m);
  expect(text).toMatch(/^kohort_background_last_success_timestamp_seconds\{task="arrivals"\} \d+/m);
  expect(warned).toEqual([
    [{ err: new Error('all of it') }, 'it is tried again'],
    [{ err: new Error('a part'), project: 7 }, 'it is tried again'],
  ]);
});
