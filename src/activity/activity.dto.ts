import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FormatQuery } from '../platform/csv/format.dto.js';
import { field, once } from '../platform/fields/field.js';
import { QueryParam } from '../platform/http/field-decorators.js';
import { maxOffset } from '../platform/http/page.dto.js';
import { projectScopes } from '../kernel/activity/record-activity.js';

export class ActivityQuery extends FormatQuery {
  @QueryParam(field.integer({ min: 1, max: 1000, fallback: 10, description: 'Entries per page.' }))
  limit: number = 10;

  @QueryParam(field.integer({ min: 0, max: maxOffset, description: 'Entries to skip.', example: 0 }))
  offset?: number;

  @QueryParam(
    field.integer({ min: 1, max: maxOffset, description: 'The page number, from 1, instead of offset.', example: 1 }),
  )
  page?: number;
}

export class ProjectActivityQuery extends ActivityQuery {
  @QueryParam(field.choice(projectScopes, { description: 'Only entries of this scope.', example: 'Export' }))
  scope?: (typeof projectScopes)[number];

  @QueryParam(
    field.text({
      says: once,
      description: 'Only entries about the item with this id. Needs `scope`, because ids are those of a kind of item.',
      example: '41',
    }),
  )
  item_id?: string;
}

export class ActivityUserDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Null stands for the service itself.', example: 1 })
  id: number | null;

  @ApiProperty({ example: 'Ada' })
  first_name: string;

  @ApiProperty({ example: 'Lovelace' })
  last_name: string;

  @ApiProperty({ type: String, nullable: true, example: 'ada@example.test' })
  email: string | null;

  @ApiPropertyOptional({ description: 'Present and true when the service itself acted.', example: true })
  is_system?: boolean;
}

const anyValue = [
  { type: 'string', nullable: true },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'object', additionalProperties: true },
];

export class ActivityChangeDto {
  @ApiProperty({ description: 'The kind of item that changed.', example: 'Person' })
  type: string;

  @ApiProperty({
    enum: ['created', 'changed', 'deleted', 'merged', 'split', 'imported', 'exported'],
    example: 'changed',
  })
  action: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The field that changed; for a person, the key of the property.',
    example: 'plan',
  })
  field: string | null;

  @ApiProperty({ anyOf: anyValue, description: 'Values of persons are not logged.', example: null })
  before: unknown;

  @ApiProperty({ anyOf: anyValue, description: 'Values of persons are not logged.', example: null })
  after: unknown;
}

export class ActivityDetailDto {
  @ApiProperty({ type: String, nullable: true, example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  name: string | null;

  @ApiProperty({ type: [ActivityChangeDto] })
  changes: ActivityChangeDto[];
}

export class ActivityEntryDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ type: ActivityUserDto })
  user: ActivityUserDto;

  @ApiProperty({ example: 'updated' })
  activity: string;

  @ApiProperty({ example: 'Person' })
  scope: string;

  @ApiProperty({ description: 'The id of the changed item, as text.', example: '41' })
  item_id: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The X-Request-Id of the request that made the change.',
    example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
  })
  request_id: string | null;

  @ApiProperty({ type: ActivityDetailDto })
  detail: ActivityDetailDto;
}
