import { field } from '../../platform/fields/field.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { maxGroupNameCharacters } from '../../kernel/projection/named-groups.js';
import { GroupDto, maxTypeIndex } from '../group.dto.js';

const properties = (description: string) =>
  field.any<object>({
    schema: { type: 'object', additionalProperties: true },
    description,
    example: { name: 'Acme', plan: 'pro' },
  });

export class DeleteGroupQuery {
  @QueryParam(
    field.boolean({
      description:
        'true: the next run also removes the key of the group from `$groups` of its events, and its `$groupidentify` events. ' +
        'Events received later stay, and make the group again.',
      fallback: false,
    }),
  )
  delete_mentions: boolean = false;
}

/** The name is not set: it follows from the properties. */
@SentBackAs(GroupDto, ['name'])
export class UpdateGroupBody {
  @BodyField(properties('Null removes a property; other keys stay unchanged.'))
  group_properties?: object;

  @BodyField(properties('The same under the name that persons have; send one of them.'))
  properties?: object;
}

const name = { min: 1, max: maxGroupNameCharacters, withoutNul: true } as const;

export class CreateGroupBody {
  @BodyField(
    field.jsonInteger({
      min: 0,
      max: maxTypeIndex,
      description: 'The type, which must exist; or `group_type`.',
      example: 0,
    }),
  )
  group_type_index?: number | null;

  @BodyField(
    field.text({ ...name, description: 'The name of the type, which is made if it is new.', example: 'company' }),
  )
  group_type?: string | null;

  @BodyField(field.text({ ...name, required: true, description: 'The key by which events name it.', example: 'acme' }))
  group_key: string;

  @BodyField(properties('Its first properties.'))
  group_properties?: object | null;
}
