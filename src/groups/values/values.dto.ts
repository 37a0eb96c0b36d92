import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { field, once } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { maxOffset } from '../../platform/http/page.dto.js';
import { typeIndexField } from '../group.dto.js';

export class GroupPropertyValuesQuery {
  @QueryParam(field.integer({ min: 1, max: 1000, fallback: 20, description: 'Values per page.' }))
  limit: number = 20;

  @QueryParam(field.integer({ min: 0, max: maxOffset, fallback: 0, description: 'Values to skip.' }))
  offset: number = 0;

  @QueryParam(typeIndexField)
  group_type_index: number;

  @QueryParam(field.text({ says: once, required: true, min: 1, description: 'The property.', example: 'plan' }))
  key: string;

  @QueryParam(
    field.text({
      says: once,
      max: 10_000,
      description: 'Only values that contain this text, in any case.',
      example: 'pr',
    }),
  )
  value?: string;
}

export class GroupPropertyDto {
  @ApiProperty({ example: 'plan' })
  name: string;

  @ApiProperty({ type: 'integer', description: 'The number of groups that have the property.', example: 12 })
  count: number;
}

export class GroupPropertyValueDto {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
    description:
      'Typed as stored; lists and objects are their JSON text. A text longer than 1,000 characters is cut and ends in `…`.',
    example: 'pro',
  })
  name: string | number | boolean;

  @ApiProperty({ type: 'integer', description: 'The number of groups that have the value.', example: 12 })
  count: number;
}

/** The properties of groups, by the indexes of the types. */
export type GroupProperties = Readonly<Record<string, readonly GroupPropertyDto[]>>;

export const propertiesByType = {
  type: 'object' as const,
  additionalProperties: { type: 'array' as const, items: { $ref: getSchemaPath(GroupPropertyDto) } },
  example: { '0': [{ name: 'plan', count: 12 }] },
};
