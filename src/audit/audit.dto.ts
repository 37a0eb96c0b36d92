import { ApiProperty } from '@nestjs/swagger';
import { isUUID } from 'class-validator';
import { ActivityQuery, ActivityUserDto } from '../activity/activity.dto.js';
import { QueryParam } from '../platform/http/field-decorators.js';
import { field, once } from '../platform/fields/field.js';
import { timeBoundField } from '../platform/fields/time-bound.js';

const keyRule = 'must be the id of a key';

export class AuditQuery extends ActivityQuery {
  @QueryParam(
    field.text({
      format: 'uuid',
      says: keyRule,
      rules: [{ holds: (key) => isUUID(key, 'all'), says: keyRule }],
      description: 'Requests with this key, by its id.',
      example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
    }),
  )
  key?: string;

  @QueryParam(
    field.integer({ min: 1, max: 2 ** 31 - 1, description: 'Requests of this user, with keys too.', example: 2 }),
  )
  user?: number;

  @QueryParam(
    field.text({
      says: once,
      min: 1,
      max: 100,
      description: 'Requests of this operation: an `operationId` of this document.',
      example: 'listPersons',
    }),
  )
  operation?: string;

  @QueryParam(timeBoundField('Requests later than this.', '2026-01-01T00:00:00Z'))
  after?: string;

  @QueryParam(timeBoundField('Requests earlier than this.', '2026-02-01T00:00:00Z'))
  before?: string;
}

export class AuditEntryDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ type: ActivityUserDto, description: 'The signed-in user, or the user of the key.' })
  user: ActivityUserDto;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'The id of the key; null for a signed-in user.',
    example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
  })
  key_id: string | null;

  @ApiProperty({ description: 'The `operationId` of the request in this document.', example: 'getPerson' })
  operation: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { type: 'string' },
    description:
      'The ids in the address of the request, by the names of their parameters: of the path, and `person_id`, `cohort` and `cohort_id`.',
    example: { id: '41' },
  })
  ids: Readonly<Record<string, string>>;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null: the answer goes on, or the process was killed meanwhile.',
    example: '2026-01-02T10:00:00.120Z',
  })
  ended_at: string | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Null without an end, and when nothing was sent because the client had disconnected.',
    example: 200,
  })
  status: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'The records in the answer, if it is a list, a stream or a file of records; null for others and for a Parquet file of a question in SQL. An answer that is not complete may have had fewer.',
    example: 100,
  })
  rows: number | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'False: the connection ended before the answer did. Null without an end.',
    example: true,
  })
  complete: boolean | null;

  @ApiProperty({ description: 'Its `X-Request-Id`.', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  request_id: string;
}
