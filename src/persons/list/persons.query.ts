import { type Format, formatField } from '../../platform/csv/format.dto.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { readSmallId, uuidShape } from '../../platform/values/ids.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field, once, onceAsJson } from '../../platform/fields/field.js';
import { CursorQuery } from '../../platform/http/page.dto.js';
import { requireDate, storable } from '../../platform/time/dates.js';
import { startOfDay } from '../../platform/time/intervals.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type CohortFilter, type Filter, isEverything } from '../../filters/reading/filter.js';
import { personFilters } from '../../filters/reading/filter-fields.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { type Sql } from '../../platform/clickhouse/sql.js';

const maxDistinctIds = 1000;

const distinctIds = field.list(field.text({}), {
  max: maxDistinctIds,
  says: 'must be text; repeat the parameter for several',
  many: `must not be given more than ${maxDistinctIds} times`,
  description: `The persons of exactly these distinct ids; repeat the parameter for several, at most ${maxDistinctIds}.`,
  example: ['ada'],
});

const oneOrSeveral: Field<string[] | null> = {
  ...distinctIds,
  read: (value, attr) => distinctIds.read(typeof value === 'string' ? [value] : value, attr),
};

const text = (description: string, example: string) => field.text({ says: once, description, example });

export class PersonsQuery extends CursorQuery {
  @QueryParam(formatField)
  format: Format = 'json';

  @QueryParam(oneOrSeveral)
  distinct_id?: string[];

  @QueryParam(text('The whole e-mail, in any case.', 'ada@example.test'))
  email?: string;

  @QueryParam(
    text(
      'Persons whose e-mail, name or distinct id contains this text in any case, or whose uuid it is. Names are the properties ' +
        '`name`, `username` and those of the project’s `person_display_name_properties`. Of a person with more than 100 distinct ids the others are found as a whole.',
      'example.test',
    ),
  )
  search?: string;

  @QueryParam(
    field.text({
      says: onceAsJson,
      description:
        'Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. ' +
        'Types: `person` (default) and `cohort`.',
      example: '[{"key":"plan","operator":"exact","value":["pro"],"type":"person"}]',
    }),
  )
  properties?: string;

  @QueryParam({
    ...field.text({ says: 'must be the id of a cohort', description: 'Members of this cohort.', example: 3 }),
    schema: { type: 'integer' },
  })
  cohort?: string;

  @QueryParam(text('Persons created after this moment.', '2026-01-01T00:00:00Z'))
  created_after?: string;

  @QueryParam(text('Persons created before this moment.', '2026-02-01T00:00:00Z'))
  created_before?: string;

  @QueryParam(
    field.text({
      format: 'uuid',
      says: 'must be a uuid',
      rules: [{ holds: (uuid) => uuidShape.test(uuid), says: 'must be a uuid' }],
      description: 'The person of this uuid.',
    }),
  )
  uuid?: string;

  @QueryParam(text('A distinct id, or the whole e-mail, in any case.', 'ada'))
  key_identifier?: string;

  @QueryParam(field.boolean({ description: 'Whether the person was ever identified as a known user.', example: true }))
  is_identified?: boolean;
}

/** The filters for which PostgreSQL has an index. */
export interface KeyFilter {
  readonly distinctIds: readonly string[] | null;
  readonly uuid: string | null;
  readonly createdAfter: Date | null;
  readonly createdBefore: Date | null;
}

/** The filters that ClickHouse evaluates. */
export interface ContentFilter {
  readonly email: string | null;
  readonly search: string | null;
  readonly keyIdentifier: string | null;
  readonly isIdentified: boolean | null;
  readonly filter: Filter;
  readonly cohort: CohortFilter | null;
  /** Limits the list to the persons that this statement selects, as `actor`. */
  readonly among: Sql | null;
}

/** A person is listed if both filters match. */
export interface PersonsFilter {
  readonly keys: KeyFilter;
  /** Null when the list is filtered by keys only. */
  readonly content: ContentFilter | null;
}

export const readPersonsFilter = (
  project: ProjectContext,
  query: PersonsQuery,
  now: Date,
  among: Sql | null = null,
): PersonsFilter => {
  const moment = (name: 'created_after' | 'created_before'): Date | null => {
    const text = query[name];
    if (text === undefined || text === '') return null;
    const { at, precision } = requireDate(text, name, now, project);
    return storable(precision === 'day' ? startOfDay(at).toJSDate() : at.toJSDate());
  };
  const keys = {
    distinctIds: query.distinct_id ?? null,
    uuid: query.uuid?.toLowerCase() ?? null,
    createdAfter: moment('created_after'),
    createdBefore: moment('created_before'),
  };
  const content = {
    email: textOrNull(query.email),
    search: textOrNull(query.search),
    keyIdentifier: textOrNull(query.key_identifier),
    isIdentified: query.is_identified ?? null,
    filter: personFilters.read(query.properties, 'properties'),
    cohort: cohortOf(query),
    among,
  };
  const { filter, ...others } = content;
  const hasContent = !isEverything(filter) || Object.values(others).some((value) => value !== null);
  return { keys, content: hasContent ? content : null };
};

/** Blank text counts as absent. */
const textOrNull = (text: string | undefined): string | null => text?.trim() || null;

const cohortOf = ({ cohort }: PersonsQuery): CohortFilter | null => {
  if (cohort === undefined) return null;
  const cohortId = readSmallId(cohort);
  if (cohortId === null) throw invalidInput('cohort must be the id of a cohort', 'cohort');
  return { kind: 'cohort', cohortId, negated: false };
};
