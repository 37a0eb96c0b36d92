import { ApiProperty } from '@nestjs/swagger';
import { nextDay } from '../../kernel/event-log/quota/event-days.js';
import { isNearlyUsed, type QuotaName, warnedPercent } from '../../kernel/projects/quotas.js';
import { type UsageRow } from './usage.sql.js';

export class QuotaDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null: any number.', example: 1_000_000 })
  limit: number | null;

  @ApiProperty({ type: 'integer', example: 850_000 })
  used: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When `used` begins again at 0; null: it does not.',
    example: '2026-01-03T00:00:00.000Z',
  })
  resets_at: string | null;

  @ApiProperty({ description: `At least ${warnedPercent} % of the limit are used.`, example: true })
  is_nearly_used: boolean;
}

export class ProjectQuotasDto {
  @ApiProperty({ description: 'Events that capture and imports stored today, in UTC, each once.' })
  events_per_day: QuotaDto;

  @ApiProperty({ description: 'Cohorts that are not deleted.' })
  cohorts: QuotaDto;

  @ApiProperty({ description: 'Members, whatever their role. Owners of the installation need not be members.' })
  members: QuotaDto;
}

export const toProjectQuotasDto = ({ quotas, used }: UsageRow, now: Date): ProjectQuotasDto => {
  const quota = (name: QuotaName, resetsAt: Date | null): QuotaDto => ({
    limit: quotas[name],
    used: used[name],
    resets_at: resetsAt?.toISOString() ?? null,
    is_nearly_used: quotas[name] !== null && isNearlyUsed(used[name], quotas[name]),
  });
  return {
    events_per_day: quota('events_per_day', nextDay(now)),
    cohorts: quota('cohorts', null),
    members: quota('members', null),
  };
};
