import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsOptional, IsString } from 'class-validator';
import { FormatQuery } from '../../platform/csv/format.dto.js';
import { MergedIntoDto } from '../../platform/errors/problem.dto.js';
import { QueryParam } from '../../platform/http/query-param.js';
import { booleanParam } from '../../platform/fields/parameter.js';
import { PersonDto } from '../person.dto.js';

export class DeletePersonQuery extends FormatQuery {
  @QueryParam(
    booleanParam({
      description:
        'true: all events of the person received until now are deleted too, in the next run. ' +
        'The header `Location` of the answer is the path of the receipt, `deletion_requests/{id}`.',
      fallback: false,
    }),
  )
  delete_events: boolean = false;
}

const splitList = 'distinct_ids_to_split must be a list of distinct ids';

export class SplitPersonBody {
  @ApiPropertyOptional({
    type: String,
    nullable: true,
    description:
      'The id that stays; all others leave. Null keeps the first id that does not look generated. A body without either field ' +
      'is refused, and the answer lists the ids.',
    example: 'ada',
  })
  @IsOptional()
  @IsString({ message: 'main_distinct_id must be text' })
  main_distinct_id?: string | null;

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: 10_000,
    description: 'Only these ids leave. Not allowed together with `main_distinct_id`.',
    example: ['ada-2'],
  })
  @IsOptional()
  @IsArray({ message: splitList })
  @ArrayMinSize(1, { message: `${splitList}, at least one` })
  @IsString({ each: true, message: splitList })
  distinct_ids_to_split?: string[];
}

export class SplitPersonDto extends PersonDto {
  @ApiProperty({ type: [PersonDto], description: 'The persons made for the ids that left, in the order of the ids.' })
  split_persons: PersonDto[];
}

const idsRule = 'ids must be a list of 1 to 1000 integer ids or uuids of persons';
const distinctIdsRule = 'distinct_ids must be a list of 1 to 1000 distinct ids';

export class BulkDeleteBody {
  @ApiPropertyOptional({
    type: 'array',
    items: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    minItems: 1,
    maxItems: 1000,
    description: 'Integer ids or uuids. Use either this field or `distinct_ids`.',
    example: ['00000000-0000-0000-0000-000000000000'],
  })
  @IsOptional()
  @IsArray({ message: idsRule })
  @ArrayMinSize(1, { message: idsRule })
  @ArrayMaxSize(1000, { message: idsRule })
  ids?: unknown[];

  @ApiPropertyOptional({ type: [String], minItems: 1, maxItems: 1000, example: ['an id without a person'] })
  @IsOptional()
  @IsArray({ message: distinctIdsRule })
  @ArrayMinSize(1, { message: distinctIdsRule })
  @ArrayMaxSize(1000, { message: distinctIdsRule })
  @IsString({ each: true, message: distinctIdsRule })
  distinct_ids?: string[];

  @ApiPropertyOptional({
    default: false,
    description:
      'Whether the events of the persons are deleted too, in the next run. ' +
      'The receipt of each person is `deletion_requests/{deletion_request_id}`.',
  })
  @IsOptional()
  @IsBoolean({ message: 'delete_events must be true or false' })
  delete_events?: boolean;
}

export class BulkDeleteResultDto {
  @ApiProperty({
    oneOf: [{ type: 'integer' }, { type: 'string' }],
    description: 'The id, uuid or distinct id as in the request.',
    example: 41,
  })
  given: string | number;

  @ApiProperty({
    enum: ['deleted', 'not_found', 'merged'],
    description: '`merged`: the person was merged into another one before, which is not deleted for it.',
    example: 'deleted',
  })
  result: 'deleted' | 'not_found' | 'merged';

  @ApiProperty({ type: 'integer', nullable: true, description: 'The person that was deleted.', example: 41 })
  id: number | null;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  uuid: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The request to delete the events; null when the events stay.',
    example: null,
  })
  deletion_request_id: string | null;

  @ApiPropertyOptional({ type: MergedIntoDto, description: 'Present when the result is `merged`.' })
  merged_into?: MergedIntoDto;
}

export class BulkDeleteReplyDto {
  @ApiProperty({ type: 'integer', description: 'The number of deleted persons.', example: 1 })
  deleted: number;

  @ApiProperty({ type: [BulkDeleteResultDto], description: 'One result for each id, in the order of the request.' })
  results: BulkDeleteResultDto[];
}
