import { Injectable } from '@nestjs/common';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Config } from '../../platform/config/config.js';
import { expiryRuleOf, minLifetimeMs } from '../../kernel/event-log/removal/expiry-rule.js';
import { type EventExpiry } from '../../kernel/projects/event-expiry.js';
import { Projection } from '../../kernel/projection/projection.js';
import { ClickHouse } from '../../platform/clickhouse/client.js';
import { nextOccurrence } from '../../platform/time/schedule.js';
import { expiredMonthsSql, expiredNamesSql } from './expired.sql.js';
import { type ExpiryPreviewDto } from './expiry.dto.js';

interface MonthRow {
  readonly month: number;
  readonly number: number;
}

interface NameRow {
  readonly name: string;
  readonly number: number;
  readonly oldest: string;
  readonly oldest_of_all: string;
  readonly names: number;
}

const mostNames = 100;

const monthOf = (month: number): string =>
  `${String(Math.floor(month / 100)).padStart(4, '0')}-${String(month % 100).padStart(2, '0')}`;

/** Counts, in ClickHouse, the events that the next scheduled run will remove. */
@Injectable()
export class ExpiryPreviews {
  constructor(
    private readonly config: Config,
    private readonly projection: Projection,
    private readonly clickhouse: ClickHouse,
  ) {}

  async of(project: ProjectContext, expiry: EventExpiry, now: Date): Promise<ExpiryPreviewDto> {
    const nextRun = nextOccurrence(this.config.deletionSchedule, now);
    const receivedUpTo = new Date(nextRun.getTime() - minLifetimeMs);
    const rule = expiryRuleOf(expiry, nextRun, receivedUpTo);
    const { asOf } = await this.projection.waitUntilFresh(project.id, now);
    const [months, names] = await Promise.all([
      this.clickhouse.query<MonthRow>(expiredMonthsSql(project.id, rule), { project }),
      this.clickhouse.query<NameRow>(expiredNamesSql(project.id, rule, mostNames), { project }),
    ]);
    return {
      events_ttl_days: expiry.days,
      events_ttl_days_by_name: expiry.daysByName,
      next_run: nextRun.toISOString(),
      counted_from: nextRun.toISOString(),
      received_up_to: receivedUpTo.toISOString(),
      total: months.reduce((sum, { number }) => sum + number, 0),
      oldest: names[0]?.oldest_of_all ?? null,
      months: months.map(({ month, number }) => ({ month: monthOf(month), count: number })),
      events: names.map(({ name, number, oldest }) => ({ event: name, count: number, oldest })),
      event_names: names[0]?.names ?? 0,
      as_of: asOf.toISOString(),
    };
  }
}
