import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { FormatQuery } from '../../platform/csv/format.dto.js';
import { MergedIntoDto } from '../../platform/errors/problem.dto.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { field } from '../../platform/fields/field.js';
import { PersonDto } from '../person.dto.js';

export class DeletePersonQuery extends FormatQuery {
  @QueryParam(
    field.boolean({
      description:
        'true: all events of the person received until now are deleted too, in the next run. ' +
        'The header `Location` of the answer is the path of the receipt, `deletion_requests/{id}`.',
      fallback: false,
    }),
  )
  delete_events: boolean = false;
}

/**
 * A split is limited because every leaving id becomes a person and a record of the answer. Larger splits take several requests.
 */
export const maxLeavingIds = 10_000;

const splitList = 'must be a list of distinct ids';

const listed = field.list(field.text({}), {
  min: 1,
  says: splitList,
  few: `${splitList}, at least one`,
  description: 'Only these ids leave. Not allowed together with `main_distinct_id`.',
  example: ['ada-2'],
});

/** The schema declares the limit without checking it: the service counts the leaving ids, and its error says how to go on. */
const idsToSplit = { ...listed, schema: { ...listed.schema, maxItems: maxLeavingIds } };

export class SplitPersonBody {
  @BodyField(
    field.text({
      nullable: true,
      description:
        'The id that stays; all others leave. Null keeps the first id that does not look generated. A body without either field ' +
        'is refused, and the answer lists the ids.',
      example: 'ada',
    }),
  )
  main_distinct_id?: string | null;

  @BodyField(idsToSplit)
  distinct_ids_to_split?: string[];
}

export class SplitPersonDto extends PersonDto {
  @ApiProperty({ type: [PersonDto], description: 'The persons made for the ids that left, in the order of the ids.' })
  split_persons: PersonDto[];
}

export class BulkDeleteBody {
  @BodyField(
    field.list(field.any({ schema: { oneOf: [{ type: 'integer' }, { type: 'string' }] } }), {
      min: 1,
      max: 1000,
      says: 'must be a list of 1 to 1000 integer ids or uuids of persons',
      description: 'Integer ids or uuids. Use either this field or `distinct_ids`.',
      example: ['00000000-0000-0000-0000-000000000000'],
    }),
  )
  ids?: unknown[];

  @BodyField(
    field.list(field.text({}), {
      min: 1,
      max: 1000,
      says: 'must be a list of 1 to 1000 distinct ids',
      example: ['an id without a person'],
    }),
  )
  distinct_ids?: string[];

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description:
        'Whether the events of the persons are deleted too, in the next run. ' +
        'The receipt of each person is `deletion_requests/{deletion_request_id}`.',
    }),
  )
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

export class DeleteEventsReplyDto {
  @ApiProperty({
    format: 'uuid',
    description: 'The receipt is `deletion_requests/{deletion_request_id}`.',
    example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
  })
  deletion_request_id: string;
}
