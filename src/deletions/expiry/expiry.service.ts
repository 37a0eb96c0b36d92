import { Injectable } from '@nestjs/common';
import { invalidInput } from '../../platform/errors/problem.js';
import { type PageQuery, type Slice } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type ExpiryQuery, type ExpiryPreviewDto, type ExpiryRunDto } from './expiry.dto.js';
import { countExpiryReceipts, expiryReceipts, type ExpiryReceipt } from './expiry-receipts.js';
import { readExpiry } from './expiry-runs.repository.js';
import { ExpiryPreviews } from './expiry-previews.js';

@Injectable()
export class ExpiryService {
  constructor(
    private readonly postgres: Postgres,
    private readonly previews: ExpiryPreviews,
  ) {}

  /** Counts with the settings of the query where it has any, otherwise with those of the project. */
  async preview(
    project: ProjectContext,
    { events_ttl_days: days, events_ttl_days_by_name: daysByName }: ExpiryQuery,
    now: Date,
  ): Promise<ExpiryPreviewDto> {
    const stored = await readExpiry(this.postgres, project.id);
    const expiry = {
      days: days ? days.value : stored.days,
      daysByName: daysByName ? daysByName.value : stored.daysByName,
    };
    return this.previews.of(project, expiry, now);
  }

  async list(project: ProjectContext, query: ExpiryQuery): Promise<Slice<ExpiryRunDto>> {
    for (const name of ['events_ttl_days', 'events_ttl_days_by_name'] as const) {
      if (query[name]) throw invalidInput(`${name} has a meaning only with preview=true`, name);
    }
    return this.page(project, query);
  }

  private async page(project: ProjectContext, page: PageQuery): Promise<Slice<ExpiryRunDto>> {
    const [receipts, count] = await Promise.all([
      expiryReceipts(this.postgres, project.id, page),
      countExpiryReceipts(this.postgres, project.id),
    ]);
    return { count, results: receipts.map(toExpiryRunDto) };
  }
}

export const toExpiryRunDto = (receipt: ExpiryReceipt): ExpiryRunDto => ({
  id: receipt.id,
  state: receipt.state,
  started_at: receipt.startedAt.toISOString(),
  events_ttl_days: receipt.ttlDays,
  events_ttl_days_by_name: receipt.ttlDaysByName,
  counted_from: receipt.countedFrom.toISOString(),
  received_up_to: receipt.receivedUpTo.toISOString(),
  events_deleted: Number(receipt.eventsDeleted),
  events: receipt.events.map(({ event, count }) => ({ event, count })),
  events_left: receipt.eventsLeft === null ? null : Number(receipt.eventsLeft),
  verified_at: receipt.verifiedAt?.toISOString() ?? null,
  error: receipt.error,
});
