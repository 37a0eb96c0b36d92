import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsDefined, IsOptional, IsString, NotContains } from 'class-validator';

export const maxMembershipIds = 1000;
export const maxMembershipCohorts = 100;

export class MembershipBody {
  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: maxMembershipIds,
    description: 'Distinct ids. Send either these or `person_ids`.',
    example: ['ada'],
  })
  @IsOptional()
  // PostgreSQL refuses the whole statement for it, which other requests may share.
  @NotContains('\0', { each: true, message: 'distinct_ids must not contain NUL characters' })
  @IsString({ each: true, message: 'distinct_ids must be a list of texts' })
  @ArrayMaxSize(maxMembershipIds, { message: `distinct_ids must hold at most ${maxMembershipIds} entries` })
  @ArrayNotEmpty({ message: 'distinct_ids must not be empty' })
  @IsArray({ message: 'distinct_ids must be a list' })
  distinct_ids?: string[];

  @ApiPropertyOptional({
    type: 'array',
    items: { oneOf: [{ type: 'integer' }, { type: 'string' }] },
    minItems: 1,
    maxItems: maxMembershipIds,
    description: 'Ids or uuids of persons.',
    example: [41],
  })
  @IsOptional()
  @ArrayMaxSize(maxMembershipIds, { message: `person_ids must hold at most ${maxMembershipIds} entries` })
  @ArrayNotEmpty({ message: 'person_ids must not be empty' })
  @IsArray({ message: 'person_ids must be a list' })
  person_ids?: (string | number)[];

  @ApiProperty({
    type: 'array',
    items: { type: 'integer' },
    minItems: 1,
    maxItems: maxMembershipCohorts,
    description: 'Ids of cohorts.',
    example: [1],
  })
  @IsDefined()
  @ArrayMaxSize(maxMembershipCohorts, { message: `cohorts must hold at most ${maxMembershipCohorts} entries` })
  @ArrayNotEmpty({ message: 'cohorts must not be empty' })
  @IsArray({ message: 'cohorts must be a list of ids' })
  cohorts: number[];
}

export class MembershipDto {
  @ApiProperty({
    description: 'The id as it was sent.',
    oneOf: [{ type: 'string' }, { type: 'integer' }],
    example: 'ada',
  })
  given: string | number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The person; for a merged one, the person into which it was merged. Null when there is none.',
    example: 41,
  })
  person_id: number | null;

  @ApiProperty({
    type: [Number],
    description: 'Those of the cohorts of which the person is a member, ascending.',
    example: [1],
  })
  cohorts: number[];
}

export class CheckedCohortDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({
    description:
      'Changes whenever a member enters or leaves: as long as it is the same, earlier answers about this cohort are.',
    example: '1-120',
  })
  etag: string;
}

export class MembershipsDto {
  @ApiProperty({ type: [MembershipDto], description: 'One entry for each id, in their order.' })
  results: MembershipDto[];

  @ApiProperty({ type: [CheckedCohortDto] })
  cohorts: CheckedCohortDto[];
}
