import { type Type } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiProperty,
  ApiPropertyOptional,
  getSchemaPath,
  IntersectionType,
  OmitType,
  PartialType,
  PickType,
} from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsObject,
  IsOptional,
  isObject,
  IsString,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { asProperty } from '../common/params/schema.js';
import { SentBackAs } from '../common/http/read-only-fields.js';
import { filterLimits } from '../filters/filter-limits.js';
import { cohortDefinition, exampleDefinition, legacyCohortGroups } from './definition/definition.schemas.js';
import { maxBehaviours, maxCriteria, maxPeriodsInAll } from './definition/read-definition.js';
import { querySchema } from './static/query.schemas.js';
import { UploadDto } from './static/upload.dto.js';
import { UserDto } from '../auth/users/user.dto.js';
import { PersonsQuery } from '../persons/list/persons.query.js';
import { integerParam } from '../common/params/parameter.js';
import { QueryParam } from '../common/http/query-param.js';
import { PageQuery } from '../common/pagination/page-query.dto.js';

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
      'The number of current members, as the list of members returns them; null before the first calculation.',
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

const maxMembersInBody = 100_000;

const members =
  (name: string, description: string, example: unknown[]): PropertyDecorator =>
  (target, key) => {
    const items = { oneOf: [{ type: 'string' }, { type: 'integer' }] };
    ApiPropertyOptional({ type: 'array', items, maxItems: maxMembersInBody, nullable: true, description, example })(
      target,
      key,
    );
    IsOptional()(target, key);
    ArrayMaxSize(maxMembersInBody, {
      message: `${name} must hold at most ${maxMembersInBody} entries; upload more as csv`,
    })(target, key);
    IsArray({ message: `${name} must be a list` })(target, key);
  };

export class CreateCohortBody {
  @ApiProperty({ maxLength: 400, example: 'Power users' })
  @IsDefined()
  @IsString({ message: 'name must be text' })
  @MaxLength(400, { message: 'name must have at most 400 characters' })
  name: string;

  @ApiPropertyOptional({ type: String, maxLength: 1000, nullable: true, example: '' })
  @IsOptional()
  @IsString({ message: 'description must be text' })
  @MaxLength(1000, { message: 'description must have at most 1000 characters' })
  description?: string | null;

  @ApiPropertyOptional(
    asProperty(legacyCohortGroups, {
      nullable: true,
      description: 'The oldest form of a definition; translated to `filters`.',
      example: [],
    }),
  )
  @IsOptional()
  @IsArray({ message: 'groups must be a list' })
  groups?: object[] | null;

  @ApiPropertyOptional(
    asProperty(cohortDefinition, {
      nullable: true,
      description:
        'The definition of a dynamic cohort: `{"properties": group}` with at least one criterion. ' +
        '`performed_event_multiple` and `performed_event_regularly` without `operator` mean exactly `operator_value` times; ' +
        'the preview and `explain` show how each criterion was read. ' +
        `At most ${maxCriteria} criteria, ${maxBehaviours} of them about events, with \`total_periods\` of ${maxPeriodsInAll} ` +
        `and ${filterLimits.filters} filters in all of them together. ` +
        'A definition that the engine could not calculate is `too_expensive`.',
      example: exampleDefinition,
    }),
  )
  @IsOptional()
  @IsObject({ message: 'filters must be an object with properties, a group of criteria' })
  filters?: object | null;

  @ApiPropertyOptional(
    asProperty(querySchema, {
      nullable: true,
      description:
        'A SELECT that yields the members of a static cohort in a column `person_id` (ids or uuids) or `distinct_id`: as text, as ' +
        '`{"kind":"HogQLQuery","query":"select …","values":{}}`, or such an object as the `source` of a `DataTableNode` or a `DataVisualizationNode`. ' +
        'It runs at once, and again by `recalculate` and by another query; the members are then the selected persons only. ' +
        'Needs the scope `query:read` too. null, in a change, removes the query and keeps the members.',
      example: null,
    }),
  )
  @IsOptional()
  @ValidateBy({
    name: 'isQuery',
    validator: {
      validate: (value) => typeof value === 'string' || isObject(value),
      defaultMessage: () => 'query must be a SELECT, or an object with kind and query',
    },
  })
  query?: string | object | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description:
      'Whether the members are listed one by one instead of calculated: in `csv`, `person_ids` or `distinct_ids`, or by `query`. ' +
      'An empty list makes a cohort to which persons are added later.',
    example: false,
  })
  @IsOptional()
  @IsBoolean({ message: 'is_static must be true or false' })
  is_static?: boolean | null;

  @ApiPropertyOptional({
    type: 'string',
    format: 'binary',
    description:
      'The members of a static cohort as a file in a form: one column of distinct ids, ' +
      'or a column named `person_id`, `distinct_id` or `email`. Comma, semicolon or tab separates columns. ' +
      'The text is UTF-8, or UTF-16 with a byte order mark.',
    example: 'ada\r\nbob\r\n',
  })
  @IsOptional()
  csv?: unknown;

  @members(
    'person_ids',
    'Members of a static cohort by integer id or uuid; unknown ones are ignored, merged ones get 404 `merged`.',
    [41],
  )
  person_ids?: unknown[] | null;

  @members('distinct_ids', 'Members of a static cohort by distinct id; unknown ones are ignored.', ['ada'])
  distinct_ids?: unknown[] | null;
}

@SentBackAs(CohortDto, [
  'is_calculating',
  'last_calculation',
  'errors_calculating',
  'count',
  'version',
  'calculation_error',
  'upload',
])
export class UpdateCohortBody extends PartialType(OmitType(CreateCohortBody, ['name'] as const)) {
  @ApiPropertyOptional({ type: String, maxLength: 400, nullable: true, example: 'Power users' })
  @IsOptional()
  @IsString({ message: 'name must be text' })
  @MaxLength(400, { message: 'name must have at most 400 characters' })
  name?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'true hides the cohort, false restores it.',
    example: false,
  })
  @IsOptional()
  @IsBoolean({ message: 'deleted must be true or false' })
  deleted?: boolean | null;
}

export class WaitQuery {
  @QueryParam(
    integerParam({
      min: 0,
      max: 60,
      fallback: 0,
      description: 'Seconds that the answer may wait for the calculation.',
      example: 10,
    }),
  )
  wait: number = 0;
}

export class CohortsQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only cohorts whose name contains this text, in any case.', example: 'power' })
  @IsOptional()
  @IsString({ message: 'search must be given once' })
  search?: string;

  @ApiPropertyOptional({ enum: ['static', 'dynamic'], description: 'Only cohorts of this type.', example: 'dynamic' })
  @IsOptional()
  @IsIn(['static', 'dynamic'], { message: 'type must be static or dynamic' })
  type?: 'static' | 'dynamic';
}

export class PersonCohortsQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'The integer id or the uuid of a person.', example: '41' })
  @IsOptional()
  @IsString({ message: 'person_id must be given once' })
  person_id?: string;

  @ApiPropertyOptional({ description: 'A distinct id of a person.', example: 'ada' })
  @IsOptional()
  @IsString({ message: 'distinct_id must be given once' })
  distinct_id?: string;
}

export class MembersQuery extends PickType(PersonsQuery, [
  'limit',
  'offset',
  'cursor',
  'format',
  'search',
  'properties',
] as const) {}

export class AddPersonsBody {
  @members('person_ids', 'Integer ids or uuids; existing members stay members, merged persons get 404 `merged`.', [41])
  person_ids?: unknown[] | null;

  @members('distinct_ids', 'Distinct ids.', ['ada'])
  distinct_ids?: unknown[] | null;
}

export class RemovePersonBody {
  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'integer' }],
    description: 'The integer id or the uuid of the person.',
    example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11',
  })
  @IsDefined()
  person_id: unknown;
}

export class DoneDto {
  @ApiProperty({ example: true })
  success: boolean;
}
