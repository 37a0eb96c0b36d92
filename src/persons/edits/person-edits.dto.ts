import { FormatQuery } from '../../platform/csv/format.dto.js';
import { field } from '../../platform/fields/field.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { PersonDto } from '../person.dto.js';

/** No property is declared, because any key and any value is allowed. The name is not set: it follows from the properties. */
@SentBackAs(PersonDto, ['name'])
export class SetPropertiesBody {
  @BodyField(
    field.any<object>({
      required: true,
      schema: { type: 'object', additionalProperties: true },
      description: 'Other keys stay unchanged.',
      example: { plan: 'team' },
    }),
  )
  properties: object;
}

const unlessInQuery = 'The query may contain it instead.';
const anyText = (description: string, example: string) =>
  field.any<string>({ schema: { type: 'string' }, description, example });

export class DeletePropertyBody {
  @BodyField(anyText('The key; the query may contain it instead.', 'plan'))
  $unset?: string;
}

const anyValue = [
  { type: 'string', nullable: true },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'object', additionalProperties: true },
];

export class UpdatePropertyBody {
  @BodyField(anyText(unlessInQuery, 'plan'))
  key?: string;

  @BodyField(field.any({ schema: { anyOf: anyValue }, description: unlessInQuery, example: 'team' }))
  value?: unknown;
}

const keyUnlessInBody = anyText('The key, unless the body names it.', 'plan');

export class DeletePropertyQuery extends FormatQuery {
  @QueryParam(keyUnlessInBody)
  $unset?: unknown;
}

export class UpdatePropertyQuery extends FormatQuery {
  @QueryParam(keyUnlessInBody)
  key?: unknown;

  @QueryParam(
    anyText('The value, unless the body has it. Valid JSON is read as JSON, everything else as text.', 'team'),
  )
  value?: unknown;
}
