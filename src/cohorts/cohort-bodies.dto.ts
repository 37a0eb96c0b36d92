import { OmitType, PartialType } from '@nestjs/swagger';
import { field } from '../platform/fields/field.js';
import { isFields } from '../platform/fields/values.js';
import { BodyField } from '../platform/http/field-decorators.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { filterLimits } from '../filters/reading/filter-limits.js';
import { maxTypeIndex } from '../groups/group.dto.js';
import { memberKinds, SavedCohortDto } from './cohort.dto.js';
import { exampleDefinition } from './definition/cohort-examples.js';
import { legacyCohortGroups } from './definition/legacy-groups.js';
import { cohortDefinition, maxBehaviours, maxCriteria, maxPeriodsInAll } from './definition/read-definition.js';
import { querySchema } from '../sql/ask/query-input.js';

const maxMembersInBody = 100_000;

const personId = { oneOf: [{ type: 'string' }, { type: 'integer' }] };

const members = (description: string, example: unknown[]) =>
  field.list(field.any({ schema: personId }), {
    max: maxMembersInBody,
    many: `must hold at most ${maxMembersInBody} entries; upload more as csv`,
    nullable: true,
    description,
    example,
  });

interface Doc {
  readonly description?: string;
  readonly nullable?: boolean;
  readonly required?: boolean;
}

export const cohortName = (doc: Doc) => field.text({ max: 400, example: 'Power users', ...doc });
export const cohortDescription = (doc: Doc) => field.text({ max: 1000, nullable: true, example: '', ...doc });

export const cohortActor = field.choice(memberKinds, {
  nullable: true,
  description: 'What the members are: persons, or the groups of `group_type_index`. It cannot be changed later.',
  example: 'person',
});

export const cohortGroupType = field.jsonInteger({
  min: 0,
  max: maxTypeIndex,
  nullable: true,
  description: 'With the actor `group`: the index of the type of the groups that are the members.',
  example: null,
});

export class CreateCohortBody {
  @BodyField(cohortName({ required: true }))
  name: string;

  @BodyField(cohortActor)
  actor?: (typeof memberKinds)[number] | null;

  @BodyField(cohortGroupType)
  group_type_index?: number | null;

  @BodyField(cohortDescription({}))
  description?: string | null;

  @BodyField(
    field.any<object[]>({
      schema: legacyCohortGroups,
      rules: [{ holds: Array.isArray, says: 'must be a list' }],
      nullable: true,
      description: 'The oldest form of a definition; translated to `filters`.',
      example: [],
    }),
  )
  groups?: object[] | null;

  @BodyField(
    field.object({
      schema: cohortDefinition,
      says: 'must be an object such as {"properties": {"type": "AND", "values": […]}}, a group of criteria',
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
  filters?: object | null;

  @BodyField(
    field.any<string | object>({
      schema: querySchema,
      rules: [
        {
          holds: (value) => typeof value === 'string' || isFields(value),
          says: 'must be a SELECT, or an object with kind and query',
        },
      ],
      nullable: true,
      description:
        'A SELECT that yields the members of a static cohort in a column `person_id` (ids or uuids) or `distinct_id`, of groups in a column `group_key` or `group_id`: as text, as ' +
        '`{"kind":"HogQLQuery","query":"select …","values":{}}`, or such an object as the `source` of a `DataTableNode` or a `DataVisualizationNode`. ' +
        'It runs at once, and again by `recalculate` and by another query; the members are then the selected persons only. ' +
        'Needs the scope `query:read` too. null, in a change, removes the query and keeps the members.',
      example: null,
    }),
  )
  query?: string | object | null;

  @BodyField(
    field.jsonBoolean({
      nullable: true,
      description:
        'Whether the members are listed one by one instead of calculated: in `csv`, `person_ids` or `distinct_ids`, or by `query`. ' +
        'An empty list makes a cohort to which persons are added later.',
      example: false,
    }),
  )
  is_static?: boolean | null;

  @BodyField(
    field.any({
      schema: { type: 'string', format: 'binary' },
      description:
        'The members of a static cohort as a file in a form: one column of distinct ids, ' +
        'or a column named `person_id`, `distinct_id` or `email`; of a cohort of groups, one column of keys, or a column named `group_key` or `group_id`. Comma, semicolon or tab separates columns. ' +
        'The text is UTF-8, or UTF-16 with a byte order mark.',
      example: 'ada\r\nbob\r\n',
    }),
  )
  csv?: unknown;

  @BodyField(
    members(
      'Members of a static cohort by integer id or uuid; unknown ones are ignored, merged ones get 404 `merged`.',
      [41],
    ),
  )
  person_ids?: unknown[] | null;

  @BodyField(members('Members of a static cohort by distinct id; unknown ones are ignored.', ['ada']))
  distinct_ids?: unknown[] | null;

  @BodyField(
    members(
      'Members of a static cohort of groups by integer id, or by the uuid that lists behind numbers give; unknown ones are ignored.',
      [3],
    ),
  )
  group_ids?: unknown[] | null;

  @BodyField(members('Members of a static cohort of groups by key; unknown ones are ignored.', ['acme']))
  group_keys?: unknown[] | null;
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
  @BodyField(cohortName({ nullable: true }))
  name?: string | null;

  @BodyField(
    field.jsonBoolean({ nullable: true, description: 'true hides the cohort, false restores it.', example: false }),
  )
  deleted?: boolean | null;
}

export class AddPersonsBody {
  @BodyField(members('Integer ids or uuids; existing members stay members, merged persons get 404 `merged`.', [41]))
  person_ids?: unknown[] | null;

  @BodyField(members('Distinct ids.', ['ada']))
  distinct_ids?: unknown[] | null;

  @BodyField(members('Integer ids or uuids of groups, for a cohort of groups.', [3]))
  group_ids?: unknown[] | null;

  @BodyField(members('Keys of groups, for a cohort of groups.', ['acme']))
  group_keys?: unknown[] | null;
}

export class RemovePersonBody {
  @BodyField(
    field.any({
      schema: personId,
      description: 'The integer id or the uuid of the person.',
      example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11',
    }),
  )
  person_id?: unknown;

  @BodyField(
    field.any({
      schema: personId,
      description: 'The integer id or the uuid of the group, for a cohort of groups.',
      example: 3,
    }),
  )
  group_id?: unknown;

  @BodyField(field.text({ description: 'The key of the group, in place of `group_id`.', example: 'acme' }))
  group_key?: string;
}
