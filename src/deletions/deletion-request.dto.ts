import { ApiProperty } from '@nestjs/swagger';
import { field } from '../platform/fields/field.js';
import { PageQuery } from '../platform/http/page.dto.js';
import { QueryParam } from '../platform/http/field-decorators.js';
import { type DeletionState } from '../kernel/deletions/deletion-request.entity.js';

const states: readonly DeletionState[] = ['pending', 'running', 'done'];

export class DeletionRequestsQuery extends PageQuery {
  @QueryParam(field.choice(states, { description: 'Only requests in this state.', example: 'pending' }))
  state?: DeletionState;
}

const moment = { type: String, format: 'date-time', nullable: true } as const;

export class DeletionRequestDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ type: 'integer', description: 'The id of the deleted person.', example: 41 })
  person_id: number;

  @ApiProperty({ format: 'uuid', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  person_uuid: string;

  @ApiProperty({ type: 'integer', description: 'The number of distinct ids of the deleted person.', example: 2 })
  distinct_id_count: number;

  @ApiProperty({ enum: states, example: 'done' })
  state: DeletionState;

  @ApiProperty({
    format: 'date-time',
    description: 'Events received up to this moment are deleted.',
    example: '2026-01-02T10:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({ description: 'The `X-Request-Id` of the request that deleted the person.', example: 'import-7' })
  request_id: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The scheduled time of the job; an operator may run it earlier.',
    example: '2026-01-04T05:00:00.000Z',
  })
  scheduled_for: string;

  @ApiProperty({ ...moment, example: '2026-01-04T05:00:00.000Z' })
  started_at: string | null;

  @ApiProperty({ type: 'integer', description: 'The number of events deleted so far.', example: 1200 })
  events_deleted: number;

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
    type: String,
    nullable: true,
    description: 'The reason why the last attempt did not finish; the job retries by itself.',
    example: null,
  })
  error: string | null;
}
