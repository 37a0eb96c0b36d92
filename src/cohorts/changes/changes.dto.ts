import { ApiProperty } from '@nestjs/swagger';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { field, once } from '../../platform/fields/field.js';
import { changeReasons } from '../../kernel/memberships/cohort-change.entity.js';

export const changeFormats = ['json', 'ndjson', 'sse'] as const;
export type ChangeFormat = (typeof changeFormats)[number];

export const changeKinds = ['entered', 'left'] as const;
export type ChangeKind = (typeof changeKinds)[number];

export const changeOrders = ['oldest', 'newest'] as const;
export type ChangeOrder = (typeof changeOrders)[number];

const cursorExample = 'YzoxMjA6MA';

export class ChangesQuery {
  @QueryParam(
    field.text({
      says: once,
      description:
        'The `cursor` of an earlier answer or change: the answer continues after it. `latest` starts after the last change. Without it, the answer starts with the members of now.',
      example: cursorExample,
    }),
  )
  after?: string;

  @QueryParam(field.choice(changeKinds, { description: 'Only changes of this kind; without it, both.' }))
  change?: ChangeKind;

  @QueryParam(
    field.choice(changeOrders, {
      description:
        'newest: the changes of the last 90 days from the last one back, for a page that people read; `after` then continues with older ones. ' +
        'oldest: what has changed since, for a reader that keeps the cursor.',
      fallback: 'oldest',
    }),
  )
  order: ChangeOrder = 'oldest';

  @QueryParam(
    field.integer({ min: 1, max: 10_000, fallback: 1000, description: 'The largest number of changes in the answer.' }),
  )
  limit: number = 1000;

  @QueryParam(
    field.integer({
      min: 0,
      max: 60,
      fallback: 0,
      description: 'Seconds that the answer may wait for a change when there is none.',
      example: 30,
    }),
  )
  wait: number = 0;

  @QueryParam(
    field.choice(changeFormats, {
      description:
        'json: one answer. ndjson: one change in each line. sse: server-sent events, which follow the changes until the connection ends; so does the header `Accept: text/event-stream`.',
      fallback: 'json',
    }),
  )
  format: ChangeFormat = 'json';
}

export class ChangedPersonDto {
  @ApiProperty({ type: 'integer', example: 41 })
  id: number;

  @ApiProperty({
    type: 'string',
    format: 'uuid',
    nullable: true,
    description: 'Null for a person who was deleted since. Keep the `id` to recognise who left.',
    example: '0199f5a2-6f0e-5c1b-9a51-6a1d2f0c4b7e',
  })
  uuid: string | null;
}

export class ChangedGroupDto {
  @ApiProperty({ type: 'integer', description: 'Keep the `id` to recognise which group left.', example: 3 })
  id: number;

  @ApiProperty({ type: 'integer', example: 0 })
  group_type_index: number;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description:
      'Null for a group that was deleted since. An event that names it makes another group, with another `id`.',
    example: 'acme',
  })
  group_key: string | null;
}

/** The fields that changes of persons and of groups have in common. */
class MemberChangeDto {
  @ApiProperty({ description: 'Continue after this change by `after`.', example: cursorExample })
  cursor: string;

  @ApiProperty({ enum: changeKinds, example: 'entered' })
  change: ChangeKind;

  @ApiProperty({
    enum: [...changeReasons, 'snapshot'],
    description:
      'Why: `calculated` by the definition or the query, `redefined` by a changed definition, `uploaded`, `added` or `removed` by hand, `merged` into or from another person, ' +
      '`split` off, `deleted`. A `snapshot` lists those who were members when the reader began.',
    example: 'calculated',
  })
  reason: (typeof changeReasons)[number] | 'snapshot';

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  at: string;
}

export class CohortChangeDto extends MemberChangeDto {
  @ApiProperty({ type: ChangedPersonDto })
  person: ChangedPersonDto;
}

export class CohortGroupChangeDto extends MemberChangeDto {
  @ApiProperty({ type: ChangedGroupDto })
  group: ChangedGroupDto;
}

/** A change of a cohort, whatever its members are. */
export type AnyChangeDto = CohortChangeDto | CohortGroupChangeDto;

class ChangesPageDto {
  @ApiProperty({ description: 'Ask for the changes after these by `after`.', example: cursorExample })
  cursor: string;

  @ApiProperty({ description: 'Whether there are more changes already.', example: false })
  has_more: boolean;
}

export class CohortChangesDto extends ChangesPageDto {
  @ApiProperty({ type: [CohortChangeDto] })
  results: CohortChangeDto[];
}

export class CohortGroupChangesDto extends ChangesPageDto {
  @ApiProperty({ type: [CohortGroupChangeDto] })
  results: CohortGroupChangeDto[];
}
