import { Injectable } from '@nestjs/common';
import { Workers } from '../../platform/work/workers.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { dayMs, forgetEventDays } from '../../kernel/event-log/quota/event-days.js';
import { removeArrivalsSql } from './arrivals.sql.js';

/**
 * A stream can be resumed within this time. Arrivals are kept for longer, because a transaction may have taken long to commit.
 */
export const resumableMs = 5 * 60_000;
const arrivalLifetimeMs = 2 * resumableMs;

/** Only the count of today is used, so older counts are removed. */
const eventDayLifetimeDays = 7;

const everyMs = 60_000;
const chunk = 5000;

/**
 * Removes arrivals that no stream can need any more, and adds their events to the counts of days. There is no index, because the
 * table has the arrivals of a few minutes only.
 */
@Injectable()
export class ArrivalsSweep {
  constructor(
    workers: Workers,
    private readonly postgres: Postgres,
  ) {
    workers.every(everyMs, {
      name: 'arrivals',
      task: 'arrivals',
      warning: 'old arrivals could not be removed and are removed later',
      run: () => this.run(new Date()),
    });
  }

  async run(now: Date): Promise<void> {
    const before = new Date(now.getTime() - arrivalLifetimeMs);
    for (;;) {
      const { rows } = await this.postgres.query<{ removed: number }>(removeArrivalsSql(before, chunk));
      if ((rows[0]?.removed ?? 0) < chunk) break;
    }
    await forgetEventDays(this.postgres, new Date(now.getTime() - eventDayLifetimeDays * dayMs));
  }
}
