import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { maxTypeIndex } from '../../groups/group.dto.js';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';

export const maxMembershipIds = 1000;
export const maxMembershipCohorts = 100;

const few = 'must not be empty';
const atMost = (most: number): string => `must hold at most ${most} entries`;

export class MembershipBody {
  @BodyField(
    // A NUL is refused here: PostgreSQL would refuse the whole statement, which other requests may share.
    field.list(field.text({ withoutNul: true }), {
      min: 1,
      max: maxMembershipIds,
      entries: 'must be a list of texts',
      few,
      many: atMost(maxMembershipIds),
      description: 'Distinct ids. Send either these or `person_ids`.',
      example: ['ada'],
    }),
  )
  distinct_ids?: string[];

  @BodyField(
    field.list(field.any<string | number>({ schema: { oneOf: [{ type: 'integer' }, { type: 'string' }] } }), {
      min: 1,
      max: maxMembershipIds,
      few,
      many: atMost(maxMembershipIds),
      description: 'Ids or uuids of persons.',
      example: [41],
    }),
  )
  person_ids?: (string | number)[];

  @BodyField(
    field.list(field.any<string | number>({ schema: { oneOf: [{ type: 'integer' }, { type: 'string' }] } }), {
      min: 1,
      max: maxMembershipIds,
      few,
      many: atMost(maxMembershipIds),
      description: 'Ids of groups, for cohorts of groups.',
      example: [3],
    }),
  )
  group_ids?: (string | number)[];

  @BodyField(
    field.list(field.text({ withoutNul: true }), {
      min: 1,
      max: maxMembershipIds,
      entries: 'must be a list of texts',
      few,
      many: atMost(maxMembershipIds),
      description: 'Keys of groups of the type `group_type_index`, for cohorts of such groups.',
      example: ['acme'],
    }),
  )
  group_keys?: string[];

  @BodyField(
    field.jsonInteger({
      min: 0,
      max: maxTypeIndex,
      description: 'With `group_keys`: the index of the type of the groups.',
      example: 0,
    }),
  )
  group_type_index?: number | null;

  @BodyField(
    field.list(field.any<number>({ schema: { type: 'integer' } }), {
      required: true,
      min: 1,
      max: maxMembershipCohorts,
      says: 'must be a list of ids',
      few,
      many: atMost(maxMembershipCohorts),
      description: 'Ids of cohorts.',
      example: [1],
    }),
  )
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
    description:
      'The person; for a merged one, the person into which it was merged. Null when there is none, and for groups.',
    example: 41,
  })
  person_id: number | null;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    description: 'The group, in an answer about groups. Null when there is none.',
    example: 3,
  })
  group_id?: number | null;

  @ApiProperty({
    type: [Number],
    description: 'Those of the cohorts of which the person or the group is a member, ascending.',
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
