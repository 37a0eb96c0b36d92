import { field, once } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { maxGroupNameCharacters } from '../../kernel/projection/named-groups.js';
import { typeIndexField } from '../group.dto.js';

export class FindGroupQuery {
  @QueryParam(typeIndexField)
  group_type_index: number;

  @QueryParam(
    field.text({
      says: once,
      required: true,
      min: 1,
      max: maxGroupNameCharacters,
      description: 'The key of the group.',
      example: 'acme',
    }),
  )
  group_key: string;
}
