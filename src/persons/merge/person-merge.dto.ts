import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { PersonDto } from '../person.dto.js';

export class MergePersonBody {
  @BodyField(
    field.list(field.text({}), {
      min: 1,
      max: 1000,
      says: 'must be a list of 1 to 1000 distinct ids',
      description:
        'The persons of these ids are merged with all their ids. An id without a person is added, and an id of the person itself ' +
        'changes nothing. Use either this field or `persons`.',
      example: ['ada-2', '018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e'],
    }),
  )
  distinct_ids?: string[];

  @BodyField(
    field.list(field.any({ schema: { oneOf: [{ type: 'integer' }, { type: 'string' }] } }), {
      min: 1,
      max: 1000,
      says: 'must be a list of 1 to 1000 integer ids or uuids of persons',
      description:
        'These persons are merged: integer ids or uuids. If one of them does not exist or was merged before, none is merged.',
      example: [42, '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11'],
    }),
  )
  persons?: unknown[];
}

export class MergedPersonDto {
  @ApiProperty({ type: 'integer', example: 42 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  uuid: string;
}

export class MergePersonDto extends PersonDto {
  @ApiProperty({
    type: [MergedPersonDto],
    description: 'The persons that this request merged into the person, by id. Their ids now get 404 `merged`.',
  })
  merged_persons: MergedPersonDto[];
}
