import { performance } from 'node:perf_hooks';
import { type Pool } from 'pg';
import { type PgSql, bound, pgSql } from './sql.js';

const firstSamples = 3;
const measureEveryMs = 10_000;
/** A difference of clocks that shows that the machine slept, or that its clock was set. */
const jumpMs = 1_000;
/** In one millisecond, the clocks of two computers drift apart by less than this. */
const drift = 2e-4;

interface Measured {
  /** PostgreSQL's time, in milliseconds, at `at` of the monotonic clock. */
  readonly time: number;
  readonly at: number;
  /** The wall clock of this process at the same moment. */
  readonly wall: number;
  /** The largest error of the measurement: half of the round trip. */
  readonly errorMs: number;
}

/**
 * The time of PostgreSQL, without a query for each call: it is measured from time to time, and a clock that only goes forward
 * counts from there. All processes of an installation share one PostgreSQL, so they agree on what is earlier, even if their own
 * clocks are wrong. Before the first measurement it is the time of this process.
 */
export class DatabaseClock {
  private measured: Measured = { time: Date.now(), at: performance.now(), wall: Date.now(), errorMs: 0 };
  private isMeasured = false;
  private latest = 0;
  private timer: NodeJS.Timeout | undefined;
  private measuring: Promise<void> | null = null;

  constructor(private readonly pool: Pool) {}

  now(): Date {
    const { time, at, wall } = this.measured;
    const elapsed = performance.now() - at;
    if (this.isMeasured && Math.abs(Date.now() - wall - elapsed) > jumpMs)
      void this.measure(firstSamples).catch(() => undefined);
    const now = Math.floor(time + elapsed);
    // A new measurement may be a little earlier than the time that was returned last, but time must not go back.
    if (now > this.latest || this.latest - now > jumpMs) this.latest = now;
    return new Date(this.latest);
  }

  /** Two processes that look at the same moment see times that differ by less than this. */
  get toleranceMs(): number {
    return Math.ceil(2 * this.errorAt(performance.now())) + 1;
  }

  /** How far the clock of this process is ahead of PostgreSQL's. */
  get aheadMs(): number {
    return this.measured.wall - this.measured.time;
  }

  /** Measures now, and then regularly until the pool ends. */
  async start(): Promise<void> {
    await this.measure(firstSamples);
    this.timer ??= setInterval(() => {
      if (this.pool.ending) clearInterval(this.timer);
      else void this.measure().catch(() => undefined);
    }, measureEveryMs).unref();
  }

  private measure(samples = 1): Promise<void> {
    return (this.measuring ??= this.sample(samples).finally(() => {
      this.measuring = null;
    }));
  }

  /** Of several measurements, takes the quickest answer, which is the most exact one. */
  private async sample(samples: number): Promise<void> {
    const taken: Measured[] = [];
    for (let n = 0; n < samples; n += 1) {
      const sentAt = performance.now();
      const { rows } = await this.pool.query<{ ms: number }>({
        name: 'database-clock',
        text: `SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS ms`,
      });
      const answeredAt = performance.now();
      const errorMs = (answeredAt - sentAt) / 2;
      taken.push({ time: (rows[0]?.ms ?? Date.now()) + errorMs, at: answeredAt, wall: Date.now(), errorMs });
    }
    this.take(taken.reduce((best, each) => (each.errorMs < best.errorMs ? each : best)));
  }

  /** Keeps the earlier measurement if it is still more exact, as in a busy process, unless the new one contradicts it. */
  private take(best: Measured): void {
    const { time, at } = this.measured;
    const error = this.errorAt(best.at);
    const contradicts = Math.abs(best.time - time - (best.at - at)) > error + best.errorMs;
    if (this.isMeasured && !contradicts && best.errorMs > error) return;
    this.measured = best;
    this.isMeasured = true;
  }

  private errorAt(at: number): number {
    return this.measured.errorMs + drift * (at - this.measured.at);
  }
}

/**
 * True once the time has come. Also true for a time beyond the horizon: a clock that was set back since has written it, and to
 * wait for it might take hours.
 */
export const isDue = (time: PgSql, now: PgSql, horizonMs: number): PgSql =>
  pgSql`(${time} <= ${now} OR ${time} > ${now} + ${bound(horizonMs)}::double precision * interval '1 millisecond')`;
