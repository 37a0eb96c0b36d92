import { ApiProperty } from '@nestjs/swagger';
import { type ImportCounts, type ImportRefusal } from '../import-run.js';
import { type JobRow, listedRefusals } from './import-jobs.repository.js';

export class ImportRefusalDto implements ImportRefusal {
  @ApiProperty({ type: 'integer', description: 'The line number, from 1.', example: 3 })
  line: number;

  @ApiProperty({ example: 'invalid_input' })
  code: string;

  @ApiProperty({ example: 'timestamp must be an ISO 8601 date' })
  detail: string;
}

export class ImportCountsDto implements ImportCounts {
  @ApiProperty({ type: 'integer', description: 'Person lines accepted.', example: 1 })
  persons: number;

  @ApiProperty({ type: 'integer', description: 'Event lines that are new in the log.', example: 1 })
  events: number;

  @ApiProperty({ type: 'integer', description: 'Event lines whose uuid was already in the log.', example: 0 })
  duplicates: number;

  @ApiProperty({ type: 'integer', description: 'The number of all rejected lines, listed or not.', example: 0 })
  rejected_count: number;
}

const statuses = ['receiving', 'queued', 'running', 'done', 'failed'] as const;

export class ImportJobDto extends ImportCountsDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ enum: statuses, example: 'running' })
  status: (typeof statuses)[number];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The lines without blank ones; null while they are not counted.',
    example: 2,
  })
  rows: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'Those of them that are done: all that the counts tell is stored.',
    example: 2,
  })
  rows_read: number;

  @ApiProperty({
    type: [ImportRefusalDto],
    maxItems: listedRefusals,
    description: `Rejected lines with their reasons: the first ${listedRefusals.toLocaleString('en')} of them.`,
    example: [],
  })
  rejected: ImportRefusalDto[];

  @ApiProperty({ type: String, nullable: true, description: 'Why the import failed.', example: null })
  error: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  finished_at: string | null;
}

export const toImportJob = (job: JobRow): ImportJobDto => ({
  id: job.id,
  status: job.status,
  rows: job.rows === null ? null : Number(job.rows),
  rows_read: Number(job.rows_read),
  persons: Number(job.persons),
  events: Number(job.events),
  duplicates: Number(job.duplicates),
  rejected_count: Number(job.rejected_count),
  rejected: job.rejected.slice(0, listedRefusals),
  error: job.error,
  created_at: job.created_at.toISOString(),
  finished_at: job.finished_at?.toISOString() ?? null,
});
