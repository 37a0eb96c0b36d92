import { type Type } from '@nestjs/common';
import { ApiExtraModels, ApiProperty, getSchemaPath, IntersectionType } from '@nestjs/swagger';
import { UserDto } from '../kernel/access/user.dto.js';
import { asProperty } from '../platform/fields/schema.js';
import { ApiWarnings, QuestionWarningDto } from '../filters/warnings/question-warning.dto.js';
import { exampleDefinition } from './definition/cohort-examples.js';
import { legacyCohortGroups } from './definition/legacy-groups.js';
import { cohortDefinition } from './definition/read-definition.js';
import { querySchema } from '../sql/ask/query-input.js';
import { UploadDto } from './record/upload.dto.js';

export class CalculationErrorDto {
  @ApiProperty({ description: 'The code, as in an error answer.', example: 'too_expensive' })
  code: string;

  @ApiProperty({ description: 'The cause, and how to fix it.', example: 'The calculation took too long' })
  detail: string;

  @ApiProperty({ type: String, nullable: true, description: 'The part of the definition that failed.', example: null })
  attr: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  at: string;
}

export const memberKinds = ['person', 'group'] as const;

const orNull = (model: Type<unknown>) => ({ allOf: [{ $ref: getSchemaPath(model) }], nullable: true });

@ApiExtraModels(UserDto, CalculationErrorDto, UploadDto)
export class CohortDto {
  @ApiProperty({ type: 'integer', example: 12 })
  id: number;

  @ApiProperty({ example: 'Power users' })
  name: string;

  @ApiProperty({ example: '' })
  description: string;

  @ApiProperty(
    asProperty(legacyCohortGroups, {
      description: 'The definition in its oldest form, if it was created in that form; `filters` is equivalent.',
      example: [],
    }),
  )
  groups: object[];

  @ApiProperty({ description: 'Deleted cohorts are not listed.', example: false })
  deleted: boolean;

  @ApiProperty({ enum: memberKinds, description: 'What its members are. It never changes.', example: 'person' })
  actor: (typeof memberKinds)[number];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The index of the type of the groups that are its members; null for a cohort of persons.',
    example: null,
  })
  group_type_index: number | null;

  @ApiProperty(asProperty(cohortDefinition, { nullable: true, example: exampleDefinition }))
  filters: object | null;

  @ApiProperty(
    asProperty(querySchema, {
      nullable: true,
      description: 'The query of a static cohort, as it was sent; null without one.',
      example: null,
    }),
  )
  query: string | object | null;

  @ApiProperty({
    description: 'Whether a calculation, or the filling of a static cohort, is queued or running.',
    example: false,
  })
  is_calculating: boolean;

  @ApiProperty({ ...orNull(UserDto), description: 'The user of the key that made the cohort.', example: null })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The moment for which the members were calculated.',
    example: '2026-01-02T10:00:00.000Z',
  })
  last_calculation: string | null;

  @ApiProperty({ type: 'integer', description: 'Failures since the last success.', example: 0 })
  errors_calculating: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'The number of current members, as the list of members returns them; null before the first calculation, and in the answer to a change while ClickHouse is away.',
    example: 310,
  })
  count: number | null;

  @ApiProperty({ example: false })
  is_static: boolean;

  @ApiProperty({ type: 'array', items: { type: 'integer' }, description: 'Always empty.', example: [] })
  experiment_set: number[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The version of the current members; it grows with each calculation.',
    example: 3,
  })
  version: number | null;

  @ApiProperty({
    ...orNull(CalculationErrorDto),
    description: 'The reason why the last calculation failed.',
    example: null,
  })
  calculation_error: CalculationErrorDto | null;

  @ApiProperty({
    ...orNull(UploadDto),
    description: 'What became of the last upload of members to a static cohort, as a file or as lists of ids.',
    example: null,
  })
  upload: UploadDto | null;
}

export class SavedCohortDto extends CohortDto {
  @ApiWarnings()
  warnings?: QuestionWarningDto[];
}

export class MembersChangeDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'The persons that the new run of the query of a static cohort made members; null for other cohorts, and while `is_calculating`.',
    example: null,
  })
  members_came: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The members that the new run no longer selected, and which it removed.',
    example: null,
  })
  members_went: number | null;
}

export class RecalculatedCohortDto extends IntersectionType(CohortDto, MembersChangeDto) {}

export class DoneDto {
  @ApiProperty({ example: true })
  success: boolean;
}
