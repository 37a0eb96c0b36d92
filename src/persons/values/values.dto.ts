import { ApiProperty, OmitType } from '@nestjs/swagger';
import { formatField, type Format } from '../../platform/csv/format.dto.js';
import { field, once } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { PageQuery, maxOffset } from '../../platform/http/page.dto.js';

const includeHidden = field.boolean({
  description: 'Also properties that the catalogue of the project hides.',
  fallback: false,
});

export class PropertyKeysQuery extends PageQuery {
  @QueryParam(formatField)
  format: Format = 'json';

  @QueryParam(includeHidden)
  include_hidden = false;
}

export class PropertyValuesQuery {
  @QueryParam(formatField)
  format: Format = 'json';

  @QueryParam(field.integer({ min: 1, max: 1000, fallback: 20, description: 'Values per page.' }))
  limit: number = 20;

  @QueryParam(field.integer({ min: 0, max: maxOffset, fallback: 0, description: 'Values to skip.' }))
  offset: number = 0;

  @QueryParam(
    field.text({
      says: once,
      description: 'The property; without it, the answer lists the properties.',
      example: 'plan',
    }),
  )
  key?: string;

  @QueryParam(
    field.text({
      says: once,
      max: 10_000,
      description: 'Only values that contain this text, in any case.',
      example: 'pr',
    }),
  )
  value?: string;

  @QueryParam(
    field.choice(['person', 'event'], {
      says: 'must be person or event',
      fallback: 'person',
      description: 'Whose properties.',
      example: 'person',
    }),
  )
  type: 'person' | 'event' = 'person';

  @QueryParam(includeHidden)
  include_hidden = false;
}

export class EventPropertyValuesQuery extends OmitType(PropertyValuesQuery, ['format', 'type'] as const) {}

export class PropertyKeyDto {
  @ApiProperty({ example: 'plan' })
  name: string;

  @ApiProperty({ type: 'integer', description: 'The number of persons that have the property.', example: 12 })
  count: number;
}

export class PropertyValueDto {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
    description:
      'Typed as stored; lists and objects are their JSON text. A text longer than 1,000 characters is cut and ends in `…`.',
    example: 'pro',
  })
  name: string | number | boolean;

  @ApiProperty({ type: 'integer', description: 'The number of persons or events that have the value.', example: 12 })
  count: number;
}
