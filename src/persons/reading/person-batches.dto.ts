import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { isUuid } from '../../platform/values/ids.js';
import { PersonDto } from '../person.dto.js';

const most = 200;

export class DistinctIdsBody {
  @BodyField(
    field.list(field.text({}), {
      required: true,
      max: most,
      says: `must be a list of at most ${most} distinct ids`,
      example: ['ada'],
    }),
  )
  distinct_ids: string[];
}

export class UuidsBody {
  @BodyField(
    field.list(field.text({ format: 'uuid', rules: [{ holds: isUuid, says: 'must be a list of uuids' }] }), {
      required: true,
      max: most,
      says: `must be a list of at most ${most} uuids`,
      entries: 'must be a list of uuids',
      example: ['00000000-0000-0000-0000-000000000000'],
    }),
  )
  uuids: string[];
}

@ApiExtraModels(PersonDto)
export class PersonsByIdDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(PersonDto) },
    description:
      'The person of each id of the request. Ids of no person are left out; the uuid of a merged person gets 404 `merged`.',
    example: {},
  })
  results: Readonly<Record<string, PersonDto>>;
}
