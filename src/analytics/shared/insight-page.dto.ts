import { type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  OmitType,
  PartialType,
} from '@nestjs/swagger';
import { PageDto } from '../../platform/http/page.dto.js';
import { ApiWarnings, type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { PersonDto } from '../../persons/person.dto.js';

/**
 * A person behind an answer, with the columns that the insight adds; or a group, which has the fields of a person as well, so
 * that programs which show one can show the other.
 */
export class InsightPersonDto extends OmitType(PersonDto, ['id']) {
  @ApiProperty({
    type: 'integer',
    description: 'Negative for an actor that has only a distinct id and no person profile.',
    example: 41,
  })
  id: number;

  @ApiPropertyOptional({ description: 'Trends: the contribution of the person to the point.', example: 3 })
  value_at_data_point?: number;

  @ApiPropertyOptional({
    type: 'integer',
    isArray: true,
    description: 'Retention: 1 for each interval the person was active in.',
    example: [1, 0, 1],
  })
  appearances?: number[];

  @ApiPropertyOptional({ enum: ['group'], description: 'Only groups have it, and the three fields after it.' })
  type?: 'group';

  @ApiPropertyOptional({ type: 'integer', example: 0 })
  group_type_index?: number;

  @ApiPropertyOptional({ example: 'acme' })
  group_key?: string;

  @ApiPropertyOptional({ type: 'object', additionalProperties: true, example: { name: 'Acme', plan: 'pro' } })
  group_properties?: object;
}

/** The head of every insight. */
export class InsightDto {
  @ApiProperty({ format: 'date-time', example: '2026-01-02T00:00:00.000Z' })
  date_from: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T23:59:59.999Z' })
  date_to: string;

  @ApiProperty({ example: 'UTC' })
  timezone: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The answer includes everything that was acknowledged up to this moment.',
    example: '2026-01-08T10:00:00.000Z',
  })
  as_of: string;
}

/** The forms that the answer of an insight may have; the first one names it. */
export type InsightForms = readonly Type<object>[];

/** The list envelope of persons plus `insight`; `include` selects one half. */
export const InsightPageDto = (forms: InsightForms): Type<object> => {
  const schema =
    forms.length === 1 ? { type: forms[0] } : { anyOf: forms.map((form) => ({ $ref: getSchemaPath(form) })) };

  @ApiExtraModels(...forms)
  class InsightPage extends PartialType(PageDto(InsightPersonDto)) {
    @ApiPropertyOptional({ ...schema, description: 'The numbers of the insight.' })
    insight?: object;

    @ApiWarnings()
    warnings?: QuestionWarningDto[];
  }
  Object.defineProperty(InsightPage, 'name', { value: `${forms[0]?.name.replace(/Dto$/, '')}Page` });
  return InsightPage;
};
