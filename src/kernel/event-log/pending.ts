import { unavailable } from '../../platform/errors/problem.js';
import { afterAwake } from '../../platform/time/awake.js';
import { currentSpan } from '../../platform/telemetry/tracing.js';
import { type LoggableEvent } from './event-log.js';
import { type Queryable } from '../../platform/postgres/postgres.js';

export interface Verdict {
  readonly accepted: number;
  readonly duplicates: number;
}

const patienceMs = 1000;
const probeMs = 600;

/**
 * The events of one request on their way to the log. A database that hangs must cause a 503 within 2 s, a database that is
 * merely busy must not: a request that has waited long probes the database. The events of a request that was answered with a
 * 503 may still be committed; sent again under the same uuid, they are duplicates.
 */
export class Pending {
  readonly verdict: Promise<Verdict>;
  isAnswered = false;
  /** The span of the request, for the trace of the group that writes its events. */
  readonly span = currentSpan();
  private resolve: (verdict: Verdict) => void;
  private reject: (error: unknown) => void;
  private timer: NodeJS.Timeout;

  constructor(
    readonly projectId: number,
    readonly events: readonly LoggableEvent[],
    readonly receivedAt: Date,
    private readonly postgres: Queryable,
  ) {
    this.verdict = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = setTimeout(() => void this.probe(), patienceMs);
  }

  succeed(verdict: Verdict): void {
    this.markAnswered();
    this.resolve(verdict);
  }

  fail(error: unknown): void {
    this.markAnswered();
    this.reject(error);
  }

  private markAnswered(): void {
    this.isAnswered = true;
    clearTimeout(this.timer);
  }

  private async probe(): Promise<void> {
    const question = { text: 'SELECT 1', query_timeout: 2 * patienceMs };
    const answered = this.postgres.query(question).then(
      () => true,
      () => false,
    );
    const late = new Promise<false>((resolve) => afterAwake(probeMs, () => resolve(false)));
    const alive = await Promise.race([answered, late]);
    if (this.isAnswered) return;
    if (alive) this.timer = setTimeout(() => void this.probe(), patienceMs);
    else this.fail(unavailable('The database does not answer at the moment'));
  }
}
