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

/** Ends each step of work when the lease is lost or the process ends. */
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

/** True if the whole run must end, rather than the part of it that failed. */
export const endsRun = (error: Error): boolean => error instanceof WorkEnded || isPostgresUnavailable(error);
