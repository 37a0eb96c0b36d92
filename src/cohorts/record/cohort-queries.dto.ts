import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { QueryParam } from '../../platform/http/query-param.js';
import { PageQuery } from '../../platform/http/page-query.dto.js';
import { integerParam } from '../../platform/fields/parameter.js';
import { PersonsQuery } from '../../persons/list/persons.query.js';

export const AsOfParam = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Who was a member at this moment, or at the beginning of this day, in the last 90 days. Persons are shown as they are now: ' +
        'a merged person is the one into which it was merged, and a deleted one is missing.',
      example: '2026-01-31',
    }),
    IsOptional(),
    IsString({ message: 'as_of must be given once' }),
  );

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
  @AsOfParam()
  as_of?: string;

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
] as const) {
  @AsOfParam()
  as_of?: string;
}
