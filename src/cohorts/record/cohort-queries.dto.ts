import { PickType } from '@nestjs/swagger';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { PageQuery } from '../../platform/http/page.dto.js';
import { field, once } from '../../platform/fields/field.js';
import { GroupsQuery } from '../../groups/list/groups.query.js';
import { maxTypeIndex } from '../../groups/group.dto.js';
import { PersonsQuery } from '../../persons/list/persons.query.js';
import { memberKinds } from '../cohort.dto.js';

export const asOf = field.text({
  says: once,
  description:
    'Who was a member at this moment, or at the beginning of this day, in the last 90 days. Persons are shown as they are now: ' +
    'a merged person is the one into which it was merged, and a deleted one is missing.',
  example: '2026-01-31',
});

const optionalIndex = (description: string) => field.integer({ min: 0, max: maxTypeIndex, description, example: 0 });

export class WaitQuery {
  @QueryParam(
    field.integer({
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
  @QueryParam(
    field.text({
      says: once,
      description: 'Only cohorts whose name contains this text, in any case.',
      example: 'power',
    }),
  )
  search?: string;

  @QueryParam(
    field.choice(['static', 'dynamic'], {
      says: 'must be static or dynamic',
      description: 'Only cohorts of this type.',
      example: 'dynamic',
    }),
  )
  type?: 'static' | 'dynamic';

  @QueryParam(
    field.choice(memberKinds, { description: 'Only cohorts of persons, or only cohorts of groups.', example: 'group' }),
  )
  actor?: (typeof memberKinds)[number];

  @QueryParam(optionalIndex('Only cohorts of groups of the type with this index.'))
  group_type_index?: number;
}

export class PersonCohortsQuery extends PageQuery {
  @QueryParam(asOf)
  as_of?: string;

  @QueryParam(field.text({ says: once, description: 'The integer id or the uuid of a person.', example: '41' }))
  person_id?: string;

  @QueryParam(field.text({ says: once, description: 'A distinct id of a person.', example: 'ada' }))
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
  @QueryParam(asOf)
  as_of?: string;
}

export class GroupMembersQuery extends PickType(GroupsQuery, [
  'limit',
  'offset',
  'cursor',
  'format',
  'search',
  'properties',
] as const) {
  @QueryParam({
    ...asOf,
    description:
      'Which groups were members at this moment, or at the beginning of this day, in the last 90 days. Groups are shown as they are now: a deleted one is missing.',
  })
  as_of?: string;
}

export class GroupCohortsQuery extends PageQuery {
  @QueryParam(asOf)
  as_of?: string;
}
