import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Allow, IsDefined } from 'class-validator';
import { FormatQuery } from '../../platform/csv/format.dto.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { PersonDto } from '../person.dto.js';

/** A property may have any key and any value. The name follows from the properties. */
@SentBackAs(PersonDto, ['name'])
export class SetPropertiesBody {
  @IsDefined()
  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'Other keys stay unchanged.',
    example: { plan: 'team' },
  })
  properties: object;
}

export class DeletePropertyBody {
  @Allow()
  @ApiPropertyOptional({ description: 'The key; the query may contain it instead.', example: 'plan' })
  $unset?: string;
}

const anyValue = [
  { type: 'string', nullable: true },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'object', additionalProperties: true },
];

export class UpdatePropertyBody {
  @Allow()
  @ApiPropertyOptional({ description: 'The query may contain it instead.', example: 'plan' })
  key?: string;

  @Allow()
  @ApiPropertyOptional({ anyOf: anyValue, description: 'The query may contain it instead.', example: 'team' })
  value?: unknown;
}

export class DeletePropertyQuery extends FormatQuery {
  @ApiPropertyOptional({ type: String, description: 'The key, unless the body names it.', example: 'plan' })
  @Allow()
  $unset?: unknown;
}

export class UpdatePropertyQuery extends FormatQuery {
  @ApiPropertyOptional({ type: String, description: 'The key, unless the body names it.', example: 'plan' })
  @Allow()
  key?: unknown;

  @ApiPropertyOptional({
    type: String,
    description: 'The value, unless the body has it. Valid JSON is read as JSON, everything else as text.',
    example: 'team',
  })
  @Allow()
  value?: unknown;
}
