import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../common/pagination/page-query.js';
import { type DeletionState } from './deletion-request.entity.js';

const states: readonly DeletionState[] = ['pending', 'running', 'done'];

export class DeletionRequestsQuery extends PageQuery {
  @ApiPropertyOptional({ enum: states, description: 'Requests in this state.', example: 'pending' })
  @IsOptional()
  @IsIn(states, { message: `state must be one of ${states.join(', ')}` })
  state?: DeletionState;
}

const moment = { type: String, format: 'date-time', nullable: true } as const;

export class DeletionRequestDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ type: 'integer', description: 'The id the person had.', example: 41 })
  person_id: number;

  @ApiProperty({ format: 'uuid', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  person_uuid: string;

  @ApiProperty({ type: 'integer', description: 'How many distinct ids the person had.', example: 2 })
  distinct_id_count: number;

  @ApiProperty({ enum: states, example: 'done' })
  state: DeletionState;

  @ApiProperty({
    format: 'date-time',
    description: 'Events received up to this moment are deleted.',
    example: '2026-01-02T10:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({ description: 'The `X-Request-Id` of the request that asked for it.', example: 'import-7' })
  request_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'When the job runs; an operator may run it earlier.',
    example: '2026-01-04T05:00:00.000Z',
  })
  scheduled_for: string;

  @ApiProperty({ ...moment, example: '2026-01-04T05:00:00.000Z' })
  started_at: string | null;

  @ApiProperty({ type: 'integer', description: 'How many events were deleted so far.', example: 1200 })
  events_deleted: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'How many the last count found in PostgreSQL or ClickHouse; null before the first.',
    example: 0,
  })
  events_left: number | null;

  @ApiProperty({
    ...moment,
    description: 'When both stores were found to have none of the events.',
    example: '2026-01-04T05:00:02.000Z',
  })
  verified_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the last attempt did not finish; the job tries again by itself.',
    example: null,
  })
  error: string | null;
}
