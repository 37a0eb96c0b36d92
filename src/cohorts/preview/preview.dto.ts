import { asOf } from '../record/cohort-queries.dto.js';
import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { field, once } from '../../platform/fields/field.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { ApiWarnings, type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';
import { GroupDto } from '../../groups/group.dto.js';
import { PersonDto } from '../../persons/person.dto.js';
import { CreateCohortBody, cohortDescription, cohortName } from '../cohort-bodies.dto.js';
import { countOperators } from '../definition/definition.js';

const ofTheCohort = 'Has no effect here: the body of a new cohort can be previewed as it is.';

export class PreviewBody extends PickType(CreateCohortBody, [
  'filters',
  'groups',
  'query',
  'actor',
  'group_type_index',
] as const) {
  @BodyField(cohortName({ nullable: true, description: ofTheCohort }))
  name?: string | null;

  @BodyField(cohortDescription({ description: ofTheCohort }))
  description?: string | null;
}

export class ReadCriterionDto {
  @ApiProperty({ description: 'The path of the criterion in the definition.', example: 'filters.properties.values.0' })
  path: string;

  @ApiProperty({ enum: ['person', 'cohort', 'group', 'behavioral'], example: 'person' })
  type: string;

  @ApiProperty({ description: 'The property, the event, or the id of the cohort or action.', example: 'plan' })
  key: string;

  @ApiProperty({ description: 'The operator, or the behavioural criterion.', example: 'exact' })
  criterion: string;

  @ApiProperty({ example: false })
  negated: boolean;

  @ApiProperty({
    enum: [...countOperators, null],
    nullable: true,
    description:
      'How the number of events is compared with `operator_value`, by performed_event_multiple and ' +
      'performed_event_regularly: `eq`, exactly, where the definition has no operator. null for other criteria.',
    example: null,
  })
  operator: (typeof countOperators)[number] | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null for criteria without `operator`.', example: null })
  operator_value: number | null;
}

export class PreviewDto {
  @ApiProperty({ type: 'integer', description: 'The number of members that the cohort would have.', example: 310 })
  count: number;

  @ApiProperty({
    type: [PersonDto],
    description: 'Ten of the members, the smallest ids first; none for a cohort of groups.',
  })
  results: PersonDto[];

  @ApiPropertyOptional({
    type: [GroupDto],
    description: 'Ten of the members of a cohort of groups, the smallest ids first.',
  })
  groups?: GroupDto[];

  @ApiProperty({
    type: [ReadCriterionDto],
    description: 'The criteria as they were read, in the order of the definition; none for a query.',
  })
  criteria: ReadCriterionDto[];

  @ApiWarnings()
  warnings?: QuestionWarningDto[];
}

export class ExplainQuery {
  @QueryParam(
    field.text({
      says: once,
      description: 'The integer id or the uuid of the person; or send `distinct_id`.',
      example: '41',
    }),
  )
  person_id?: string;

  @QueryParam(field.text({ says: once, description: 'A distinct id of the person, in place of `person_id`.' }))
  distinct_id?: string;

  @QueryParam(
    field.text({ says: once, description: 'The integer id of the group, for a cohort of groups.', example: '3' }),
  )
  group_id?: string;

  @QueryParam(field.text({ says: once, description: 'The key of the group, in place of `group_id`.', example: 'acme' }))
  group_key?: string;

  @QueryParam(asOf)
  as_of?: string;
}

export class CriterionDto extends ReadCriterionDto {
  @ApiProperty({
    description: 'Whether the criterion holds for the person or the group, its negation included.',
    example: true,
  })
  held: boolean;

  @ApiProperty({
    description:
      'The value of the property (null where there is none), whether the person or the group is in the cohort, or the count of its events.',
    anyOf: [
      { type: 'string', nullable: true },
      { type: 'number' },
      { type: 'boolean' },
      { type: 'array', items: {} },
      { type: 'object', additionalProperties: true },
    ],
    example: 'pro',
  })
  seen: unknown;
}

export class ExplanationDto {
  @ApiProperty({ description: 'Whether the person or the group is listed as a member now.', example: true })
  member: boolean;

  @ApiProperty({
    description: 'Whether a calculation at this moment would make the person or the group a member.',
    example: true,
  })
  holds: boolean;

  @ApiProperty({ type: [CriterionDto], description: 'In the order of the definition; none for a static cohort.' })
  criteria: CriterionDto[];
}
