import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional, OmitType, PartialType } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsDefined,
  IsObject,
  IsOptional,
  isObject,
  IsString,
  MaxLength,
  ValidateBy,
} from 'class-validator';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { asProperty } from '../platform/fields/schema.js';
import { filterLimits } from '../filters/reading/filter-limits.js';
import { SavedCohortDto } from './cohort.dto.js';
import { cohortDefinition, exampleDefinition, legacyCohortGroups } from './definition/definition.schemas.js';
import { maxBehaviours, maxCriteria, maxPeriodsInAll } from './definition/read-definition.js';
import { querySchema } from './static/query.schemas.js';

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

export const maxCohortName = 400;
export const maxCohortDescription = 1000;

const isText = (name: string, maxLength: number): PropertyDecorator =>
  applyDecorators(
    IsString({ message: `${name} must be text` }),
    MaxLength(maxLength, { message: `${name} must have at most ${maxLength} characters` }),
  );

export const IsCohortName = (): PropertyDecorator => isText('name', maxCohortName);
export const IsCohortDescription = (): PropertyDecorator => isText('description', maxCohortDescription);

export class CreateCohortBody {
  @ApiProperty({ maxLength: maxCohortName, example: 'Power users' })
  @IsDefined()
  @IsCohortName()
  name: string;

  @ApiPropertyOptional({ type: String, maxLength: maxCohortDescription, nullable: true, example: '' })
  @IsOptional()
  @IsCohortDescription()
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
  @IsObject({
    message: 'filters must be an object such as {"properties": {"type": "AND", "values": […]}}, a group of criteria',
  })
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

@SentBackAs(SavedCohortDto, [
  'is_calculating',
  'last_calculation',
  'errors_calculating',
  'count',
  'version',
  'calculation_error',
  'upload',
  'warnings',
])
export class UpdateCohortBody extends PartialType(OmitType(CreateCohortBody, ['name'] as const)) {
  @ApiPropertyOptional({ type: String, maxLength: maxCohortName, nullable: true, example: 'Power users' })
  @IsOptional()
  @IsCohortName()
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
