import { WorkEnded } from '../../platform/errors/work-ended.js';
import { isPostgresUnavailable } from '../../platform/errors/store-errors.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { type Work } from '../../platform/postgres/transaction.js';

export interface LeasedParts {
  readonly postgres: Postgres;
  readonly lease: Lease;
  readonly isStopping: () => boolean;
}

/** Checks between steps of work that the lease is held and the process is not stopping; otherwise throws. */
export class LeasedSteps {
  constructor(private readonly under: LeasedParts) {}

  now(): Date {
    return this.under.postgres.clock.now();
  }

  assertContinuing(): void {
    if (this.under.isStopping()) throw new WorkEnded('The process is stopping');
    this.under.lease.check();
  }

  asHolder<T>(work: Work<T>): Promise<T> {
    return this.under.postgres.transaction(async (client, last) => {
      await this.under.lease.confirm(client);
      return work(client, last);
    });
  }
}

/** True if the error ends the whole run, and not only the part that failed. */
export const endsRun = (error: Error): boolean => error instanceof WorkEnded || isPostgresUnavailable(error);
