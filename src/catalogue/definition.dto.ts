import { ApiProperty, PickType } from '@nestjs/swagger';
import { invalidInput } from '../platform/errors/problem.js';
import { listSchema, orText } from '../platform/fields/schema.js';
import { readTexts } from '../platform/fields/values.js';
import { field, once } from '../platform/fields/field.js';
import { QueryParam } from '../platform/http/field-decorators.js';
import { PageQuery } from '../platform/http/page.dto.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { DefineEventBody } from './catalogue.dto.js';

export const definitionTypes = ['event', 'person', 'group', 'session'] as const;

export type DefinitionType = (typeof definitionTypes)[number];

export const propertyTypes = ['String', 'Numeric', 'Boolean'] as const;

const maxNames = 1000;

/** A list as JSON, or with commas between the names, as clients of the reference product send it. */
const names = (description: string, example: readonly string[]) =>
  field.json({ description, example, schema: orText(listSchema({ type: 'string' }, maxNames)) }, (value, attr) => {
    if (value === undefined || value === '') return null;
    const read = readTexts(typeof value === 'string' ? listIn(value, attr) : value, attr);
    if (read.length > maxNames) throw invalidInput(`${attr} must have at most ${maxNames} entries`, attr);
    return read;
  });

const listIn = (text: string, attr: string): unknown => {
  if (!text.trimStart().startsWith('[')) return text.split(',');
  try {
    return JSON.parse(text);
  } catch {
    throw invalidInput(`${attr} must be a list of texts as JSON, or with commas between them`, attr);
  }
};

export class EventDefinitionsQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: once,
      max: 400,
      description: 'Only names that contain this text, in any case.',
      example: 'sign',
    }),
  )
  search?: string;

  @QueryParam(field.boolean({ description: 'Leaves hidden names out.', fallback: false }))
  exclude_hidden = false;
}

export class PropertyDefinitionsQuery extends EventDefinitionsQuery {
  @QueryParam(
    field.choice(definitionTypes, {
      nullable: false,
      fallback: 'event',
      description: 'Whose properties. There are no properties of groups and sessions: these lists are empty.',
      example: 'event',
    }),
  )
  type: DefinitionType = 'event';

  @QueryParam(names('Names of events; see `filter_by_event_names`.', ['signed up']))
  event_names?: readonly string[];

  @QueryParam(
    field.boolean({
      description:
        'Only properties of the events in `event_names`: those of up to 100,000 of these events of the last 30 days.',
      fallback: false,
    }),
  )
  filter_by_event_names = false;

  @QueryParam(field.boolean({ description: 'Only properties that are always numbers; `false`: the others.' }))
  is_numerical?: boolean;

  @QueryParam(field.boolean({ description: 'Only properties that begin with `$feature/`; `false`: the others.' }))
  is_feature_flag?: boolean;

  @QueryParam(field.boolean({ description: 'Leaves out what SDKs add, which begins with `$`.', fallback: false }))
  exclude_core_properties = false;

  @QueryParam(names('Only these properties.', ['plan']))
  properties?: readonly string[];

  @QueryParam(names('All but these properties.', ['plan']))
  excluded_properties?: readonly string[];
}

class DefinitionDto {
  @ApiProperty({
    format: 'uuid',
    description: 'Follows from the kind and the name.',
    example: 'c1b9a1de-0f4c-5b57-8a53-0d8b4b0d3c11',
  })
  id: string;

  @ApiProperty({ example: 'signed up' })
  name: string;

  @ApiProperty({ example: 'The form was sent.' })
  description: string;

  @ApiProperty({ type: [String], example: ['checkout'] })
  tags: string[];

  @ApiProperty({ example: false })
  hidden: boolean;
}

export class EventDefinitionDto extends DefinitionDto {
  @ApiProperty({
    format: 'date-time',
    description: 'The time of the earliest event.',
    example: '2026-01-02T10:00:00.000Z',
  })
  created_at: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The time of the latest event.',
    example: '2026-01-08T10:00:00.000Z',
  })
  last_seen_at: string;

  @ApiProperty({ type: 'integer', description: 'The number of events of the last 30 days, in UTC.', example: 1200 })
  volume_30_day: number;
}

export class PropertyDefinitionDto extends DefinitionDto {
  @ApiProperty({ enum: ['event', 'person'], example: 'event' })
  type: 'event' | 'person';

  @ApiProperty({ description: 'Whether all its values are numbers.', example: false })
  is_numerical: boolean;

  @ApiProperty({
    type: String,
    enum: [...propertyTypes, null],
    nullable: true,
    description: 'The type of its values; null for values of several types.',
    example: 'String',
  })
  property_type: (typeof propertyTypes)[number] | null;

  @ApiProperty({
    type: Boolean,
    nullable: true,
    description: 'Whether the events in `event_names` have it; null without `event_names`.',
    example: null,
  })
  is_seen_on_filtered_events: boolean | null;
}

const changeable = ['description', 'hidden', 'tags'] as const;

@SentBackAs(EventDefinitionDto, ['created_at', 'last_seen_at', 'volume_30_day'])
export class UpdateEventDefinitionBody extends PickType(DefineEventBody, changeable) {}

@SentBackAs(PropertyDefinitionDto, ['is_seen_on_filtered_events'])
export class UpdatePropertyDefinitionBody extends PickType(DefineEventBody, changeable) {}
