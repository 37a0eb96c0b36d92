import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString, MaxLength } from 'class-validator';
import { FormatParam, type Format } from '../../platform/csv/format.dto.js';
import { booleanParam, integerParam } from '../../platform/fields/parameter.js';
import { QueryParam } from '../../platform/http/query-param.js';
import { maxOffset, PageQuery } from '../../platform/http/page-query.dto.js';

const includeHidden = booleanParam({
  description: 'Also properties that the catalogue of the project hides.',
  fallback: false,
});

export class PropertyKeysQuery extends PageQuery {
  @FormatParam()
  format: Format = 'json';

  @QueryParam(includeHidden)
  include_hidden = false;
}

export class PropertyValuesQuery {
  @FormatParam()
  format: Format = 'json';

  @QueryParam(integerParam({ min: 1, max: 1000, fallback: 20, description: 'Values per page.' }))
  limit: number = 20;

  @QueryParam(integerParam({ min: 0, max: maxOffset, fallback: 0, description: 'Values to skip.' }))
  offset: number = 0;

  @ApiPropertyOptional({ description: 'The property; without it, the answer lists the properties.', example: 'plan' })
  @IsOptional()
  @IsString({ message: 'key must be given once' })
  key?: string;

  @ApiPropertyOptional({ description: 'Only values that contain this text, in any case.', example: 'pr' })
  @IsOptional()
  @IsString({ message: 'value must be given once' })
  @MaxLength(10_000, { message: 'value must have at most 10000 characters' })
  value?: string;

  @ApiPropertyOptional({
    enum: ['person', 'event'],
    default: 'person',
    description: 'Whose properties.',
    example: 'person',
  })
  @IsIn(['person', 'event'], { message: 'type must be person or event' })
  type: 'person' | 'event' = 'person';

  @QueryParam(includeHidden)
  include_hidden = false;
}

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
