import { formats, type Format } from '../../platform/csv/format.dto.js';
import { field, once } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { CursorQuery } from '../../platform/http/page.dto.js';
import { maxGroupNameCharacters } from '../../kernel/groups/named-groups.js';
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
      says: once,
      max: maxGroupNameCharacters,
      description: 'The group of exactly this key.',
      example: 'acme',
    }),
  )
  group_key?: string;
}

/** The groups of a list: those of a type for which everything else holds. */
export interface GroupsFilter {
  readonly typeIndex: number;
  /** The actor of the only group that is meant; null for any. */
  readonly actor: string | null;
  /** Null without a search. */
  readonly search: string | null;
}
