import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { field } from '../platform/fields/field.js';
import { PageQuery } from '../platform/http/page.dto.js';
import { QueryParam } from '../platform/http/field-decorators.js';
import { type DeletionKind, type DeletionState } from '../kernel/deletions/deletion-request.entity.js';

const states: readonly DeletionState[] = ['pending', 'running', 'done'];

export class DeletionRequestsQuery extends PageQuery {
  @QueryParam(field.choice(states, { description: 'Only requests in this state.', example: 'pending' }))
  state?: DeletionState;
}

const kinds: readonly DeletionKind[] = ['person', 'events', 'properties', 'group'];

const moment = { type: String, format: 'date-time', nullable: true } as const;

class DeletionCriteriaDto {
  @ApiPropertyOptional({ type: [String], description: 'The names of the events.', example: ['order paid'] })
  events?: readonly string[];

  @ApiPropertyOptional({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  after?: string;

  @ApiPropertyOptional({ format: 'date-time', example: '2026-02-01T00:00:00.000Z' })
  before?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'The number of uuids, which are not kept.', example: 3 })
  uuids?: number;

  @ApiPropertyOptional({ description: 'True if there were filters, which are not kept.', example: true })
  is_filtered?: boolean;

  @ApiPropertyOptional({ type: [String], description: 'The keys of the removed properties.', example: ['email'] })
  scrub?: readonly string[];

  @ApiPropertyOptional({ type: 'integer', description: 'The id of the deleted group.', example: 7 })
  group_id?: number;
}

class RemainingPartsDto {
  @ApiProperty({ type: 'integer', description: 'Rows of events in PostgreSQL.', example: 0 })
  rows: number;

  @ApiProperty({ type: 'integer', description: 'Compressed blocks in PostgreSQL.', example: 0 })
  blocks: number;

  @ApiProperty({ type: 'integer', description: 'Files of the archive.', example: 0 })
  files: number;

  @ApiProperty({ type: 'integer', description: 'Rows of ClickHouse, on any replica.', example: 0 })
  clickhouse: number;

  @ApiProperty({ type: 'integer', description: 'Ingestion warnings.', example: 0 })
  warnings: number;
}

export class DeletionRequestDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({
    enum: kinds,
    description:
      'What is deleted: the events of a person, events that a question selected, properties of such events, or a group.',
    example: 'person',
  })
  kind: DeletionKind;

  @ApiProperty({
    type: DeletionCriteriaDto,
    nullable: true,
    description: 'How the events were selected; null for the events of a person.',
    example: null,
  })
  criteria: DeletionCriteriaDto | null;

  @ApiProperty({
    type: 'integer',
    description: 'The id of the deleted person; 0 in a request of another kind.',
    example: 41,
  })
  person_id: number;

  @ApiProperty({
    format: 'uuid',
    description: 'The uuid of the deleted person; only zeros in a request of another kind.',
    example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11',
  })
  person_uuid: string;

  @ApiProperty({ type: 'integer', description: 'The number of distinct ids of the deleted person.', example: 2 })
  distinct_id_count: number;

  @ApiProperty({ enum: states, example: 'done' })
  state: DeletionState;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Events received up to this moment are deleted: that of the request, or of its preview.',
    example: '2026-01-02T10:00:00.000Z',
  })
  up_to: string;

  @ApiProperty({ description: 'The `X-Request-Id` of the request.', example: 'import-7' })
  request_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The scheduled time of the job; an operator may run it earlier.',
    example: '2026-01-04T05:00:00.000Z',
  })
  scheduled_for: string;

  @ApiProperty({ ...moment, example: '2026-01-04T05:00:00.000Z' })
  started_at: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number of events that the request selected; null for the events of a person.',
    example: null,
  })
  events_selected: number | null;

  @ApiProperty({ type: 'integer', description: 'The number of events deleted so far.', example: 1200 })
  events_deleted: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of events that lost properties, or the mention of a group, so far.',
    example: 0,
  })
  events_scrubbed: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'The number of events that the last count found in PostgreSQL or ClickHouse; null before the first count.',
    example: 0,
  })
  events_left: number | null;

  @ApiProperty({
    ...moment,
    description: 'The time at which neither store had any of the events.',
    example: '2026-01-04T05:00:02.000Z',
  })
  verified_at: string | null;

  @ApiProperty({
    type: RemainingPartsDto,
    nullable: true,
    description: 'What was counted in each place at `verified_at`; null before it.',
    example: null,
  })
  remaining: RemainingPartsDto | null;

  @ApiProperty({
    ...moment,
    description:
      'The moment after which no scheduled backup, and no archive of the embedded PostgreSQL, has the events; null before ' +
      '`verified_at`, and where the service makes neither. Copies that you make are yours to remove.',
    example: '2026-01-11T03:00:00.000Z',
  })
  backups_until: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The reason why the last attempt did not finish; the job retries by itself.',
    example: null,
  })
  error: string | null;
}
