import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsOptional, IsString, Matches } from 'class-validator';
import { FormatParam, type Format } from '../../platform/csv/format.dto.js';
import { QueryParam } from '../../platform/http/query-param.js';
import { uuidShape } from '../../platform/values/ids.js';
import { booleanParam } from '../../platform/fields/parameter.js';
import { CursorQuery } from '../../platform/http/page-query.dto.js';

const maxDistinctIds = 1000;

export class PersonsQuery extends CursorQuery {
  @FormatParam()
  format: Format = 'json';

  @ApiPropertyOptional({
    type: [String],
    description: `The persons of exactly these distinct ids; repeat the parameter for several, at most ${maxDistinctIds}.`,
    example: ['ada'],
  })
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? [value] : value))
  @IsString({ each: true, message: 'distinct_id must be text; repeat the parameter for several' })
  @ArrayMaxSize(maxDistinctIds, { message: `distinct_id must not be given more than ${maxDistinctIds} times` })
  distinct_id?: string[];

  @ApiPropertyOptional({ description: 'The whole e-mail, in any case.', example: 'ada@example.test' })
  @IsOptional()
  @IsString({ message: 'email must be given once' })
  email?: string;

  @ApiPropertyOptional({
    description:
      'Persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is. Names are the properties ' +
      '`name`, `username` and those of the project’s `person_display_name_properties`. Of a person with more than 100 distinct ids the others are found as a whole.',
    example: 'example.test',
  })
  @IsOptional()
  @IsString({ message: 'search must be given once' })
  search?: string;

  @ApiPropertyOptional({
    description:
      'Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. ' +
      'Types: `person` (default) and `cohort`.',
    example: '[{"key":"plan","operator":"exact","value":["pro"],"type":"person"}]',
  })
  @IsOptional()
  @IsString({ message: 'properties must be given once, as JSON' })
  properties?: string;

  @ApiPropertyOptional({ type: 'integer', description: 'Members of this cohort.', example: 3 })
  @IsOptional()
  @IsString({ message: 'cohort must be the id of a cohort' })
  cohort?: string;

  @ApiPropertyOptional({ description: 'Persons created after this moment.', example: '2026-01-01T00:00:00Z' })
  @IsOptional()
  @IsString({ message: 'created_after must be given once' })
  created_after?: string;

  @ApiPropertyOptional({ description: 'Persons created before this moment.', example: '2026-02-01T00:00:00Z' })
  @IsOptional()
  @IsString({ message: 'created_before must be given once' })
  created_before?: string;

  @ApiPropertyOptional({ format: 'uuid', description: 'The person of this uuid.' })
  @IsOptional()
  @Matches(uuidShape, { message: 'uuid must be a uuid' })
  uuid?: string;

  @ApiPropertyOptional({ description: 'A distinct id, or the whole e-mail, in any case.', example: 'ada' })
  @IsOptional()
  @IsString({ message: 'key_identifier must be given once' })
  key_identifier?: string;

  @QueryParam(booleanParam({ description: 'Whether the person was ever identified as a known user.', example: true }))
  is_identified?: boolean;
}
