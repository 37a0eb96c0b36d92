import { formats, type Format } from '../../platform/csv/format.dto.js';
import { field, once, onceAsJson } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { CursorQuery } from '../../platform/http/page.dto.js';
import { type CohortMemberships } from '../../filters/compile/compile.sql.js';
import { type CohortFilter, type Filter, leavesOf } from '../../filters/reading/filter.js';
import { parseFilters } from '../../filters/reading/filter-fields.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { maxGroupNameCharacters } from '../../kernel/projection/named-groups.js';
import { type Sql } from '../../platform/clickhouse/sql.js';
import { readSmallId } from '../../platform/values/ids.js';
import { optionalTypeIndexField } from '../group.dto.js';

export class GroupsQuery extends CursorQuery {
  @QueryParam(
    field.choice(formats, {
      says: 'must be json or csv',
      fallback: 'json',
      description:
        'csv streams every matching group, with the properties as JSON in the last column. A client that reads nothing for half a minute is disconnected.',
      example: 'json',
    }),
  )
  format: Format = 'json';

  @QueryParam(optionalTypeIndexField)
  group_type_index?: number;

  @QueryParam(
    field.text({
      says: once,
      description: 'Groups whose key, name, username or e-mail contains this text in any case.',
      example: 'acme',
    }),
  )
  search?: string;

  @QueryParam(
    field.text({
      says: onceAsJson,
      description:
        'Filters as JSON: a list, all of which must hold, or a group `{"type": "AND" | "OR", "values": […]}` nested at will. ' +
        'Their type is `group`, and their `group_type_index` that of the list; or `cohort`, for cohorts of such groups.',
      example: '[{"key":"plan","operator":"exact","value":["pro"],"type":"group","group_type_index":0}]',
    }),
  )
  properties?: string;

  @QueryParam(
    field.text({
      says: once,
      max: maxGroupNameCharacters,
      description: 'The group of exactly this key.',
      example: 'acme',
    }),
  )
  group_key?: string;

  @QueryParam({
    ...field.text({
      says: 'must be the id of a cohort',
      description: 'Members of this cohort, whose members are groups of the type that is listed.',
      example: 3,
    }),
    schema: { type: 'integer' },
  })
  cohort?: string;
}

/** Reads `properties`: filters on groups of the type that is listed, and on cohorts of such groups. */
export const readGroupFilter = (sent: string | undefined, typeIndex: number): Filter => {
  const filter = parseFilters(sent, 'properties', { allowed: ['group', 'cohort'], defaultType: 'event' });
  for (const leaf of leavesOf(filter)) {
    if (leaf.kind !== 'property' || leaf.groupType === typeIndex) continue;
    const attr = `${leaf.at ?? 'properties'}.group_type_index`;
    throw invalidInput(`${attr} must be ${typeIndex}, that of the list, with the type group`, attr);
  }
  return filter;
};

/** The groups of a list: those of a type for which everything else holds. */
export interface GroupsFilter {
  readonly typeIndex: number;
  /** The actor of the only group that is meant; null for any. */
  readonly actor: string | null;
  /** Null without a search. */
  readonly search: string | null;
  readonly properties: Filter;
  readonly cohort: CohortFilter | null;
  /** Limits the list to the groups whose ids this statement selects. */
  readonly among: Sql | null;
  /** The cohorts that `properties` and `cohort` name. */
  readonly cohorts: CohortMemberships;
}

export const readCohort = ({ cohort }: GroupsQuery): CohortFilter | null => {
  if (cohort === undefined) return null;
  const cohortId = readSmallId(cohort);
  if (cohortId === null) throw invalidInput('cohort must be the id of a cohort', 'cohort');
  return { kind: 'cohort', cohortId, negated: false };
};
