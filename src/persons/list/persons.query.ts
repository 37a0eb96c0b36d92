import { formatField, type Format } from '../../platform/csv/format.dto.js';
import { QueryParam } from '../../platform/http/query-param.js';
import { uuidShape } from '../../platform/values/ids.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field, once, onceAsJson } from '../../platform/fields/field.js';
import { CursorQuery } from '../../platform/http/page-query.dto.js';

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
