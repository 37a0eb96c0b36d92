import { ApiExtraModels, ApiProperty, OmitType, getSchemaPath } from '@nestjs/swagger';
import { field, once } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { GroupDto, optionalTypeIndexField } from '../../groups/group.dto.js';
import { PersonDto } from '../../persons/person.dto.js';

export class RelatedQuery {
  @QueryParam({ ...optionalTypeIndexField, description: 'The type of the group `id`; without it, `id` is a person.' })
  group_type_index?: number;

  @QueryParam(
    field.text({
      says: once,
      required: true,
      min: 1,
      max: 400,
      description: 'The key of a group, or the integer id or the uuid of a person.',
      example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11',
    }),
  )
  id: string;
}

const events = { type: 'integer', description: 'The number of events in common.', example: 12 } as const;

export class RelatedPersonDto extends OmitType(PersonDto, ['id'] as const) {
  @ApiProperty({ enum: ['person'], example: 'person' })
  type: 'person';

  @ApiProperty({ format: 'uuid', description: 'The uuid.', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  id: string;

  @ApiProperty({ type: 'integer', description: 'The integer id.', example: 41 })
  person_id: number;

  @ApiProperty(events)
  events: number;
}

export class RelatedGroupDto extends OmitType(GroupDto, ['id'] as const) {
  @ApiProperty({ enum: ['group'], example: 'group' })
  type: 'group';

  @ApiProperty({ description: 'The key.', example: 'acme' })
  id: string;

  @ApiProperty({ type: 'integer', description: 'The id for addresses.', example: 3 })
  group_id: number;

  @ApiProperty(events)
  events: number;
}

export type Related = RelatedPersonDto | RelatedGroupDto;

export const relatedSchema = {
  type: 'array' as const,
  items: {
    oneOf: [{ $ref: getSchemaPath(RelatedPersonDto) }, { $ref: getSchemaPath(RelatedGroupDto) }],
    discriminator: {
      propertyName: 'type',
      mapping: { person: getSchemaPath(RelatedPersonDto), group: getSchemaPath(RelatedGroupDto) },
    },
  },
};

export const ApiRelatedModels = (): MethodDecorator => ApiExtraModels(RelatedPersonDto, RelatedGroupDto);
