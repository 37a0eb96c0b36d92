import { ApiProperty } from '@nestjs/swagger';
import { type CountRow, type LibraryRow, maxLibraries } from './ingestion-counts.repository.js';

export class RejectedEventsDto {
  @ApiProperty({
    description:
      'The code of the rejections. Events of a request that was refused as a whole have the code of its answer, such as `throttled`.',
    example: 'invalid_input',
  })
  reason: string;

  @ApiProperty({ type: 'integer', example: 3 })
  events: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.120Z' })
  last_at: string;
}

export class LibraryDto {
  @ApiProperty({ description: '`$lib` of the first event of a request.', example: 'posthog-node' })
  name: string;

  @ApiProperty({ description: 'Its `$lib_version`; empty when the event has none.', example: '5.70.0' })
  version: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.120Z' })
  last_seen_at: string;
}

export class IngestionDto {
  @ApiProperty({ type: 'integer', description: 'Events that clients sent and that were new.', example: 120_000 })
  accepted: number;

  @ApiProperty({ type: 'integer', description: 'Events whose uuid was already in the log.', example: 40 })
  duplicates: number;

  @ApiProperty({ type: 'integer', description: 'Events that were refused.', example: 3 })
  rejected: number;

  @ApiProperty({ type: [RejectedEventsDto], description: 'Most frequent first.' })
  rejected_by_reason: RejectedEventsDto[];

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-02T10:00:00.120Z' })
  last_accepted_at: string | null;

  @ApiProperty({
    type: [LibraryDto],
    maxItems: maxLibraries,
    description: `The SDKs that sent events, last seen first: at most ${maxLibraries}.`,
  })
  sdks: LibraryDto[];
}

export const toIngestionDto = (counts: readonly CountRow[], libraries: readonly LibraryRow[]): IngestionDto => {
  const of = (outcome: string) => counts.filter((row) => row.outcome === outcome);
  const sum = (outcome: string) => of(outcome).reduce((all, { events }) => all + Number(events), 0);
  return {
    accepted: sum('accepted'),
    duplicates: sum('duplicate'),
    rejected: sum('rejected'),
    rejected_by_reason: of('rejected').map(({ reason, events, last_at }) => ({
      reason,
      events: Number(events),
      last_at: last_at.toISOString(),
    })),
    last_accepted_at: of('accepted')[0]?.last_at.toISOString() ?? null,
    sdks: libraries.map(({ name, version, last_seen_at }) => ({
      name,
      version,
      last_seen_at: last_seen_at.toISOString(),
    })),
  };
};
