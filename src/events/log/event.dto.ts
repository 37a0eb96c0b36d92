import { ApiProperty } from '@nestjs/swagger';
import { invalidInput } from '../../platform/errors/problem.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { internalEvents } from '../../kernel/event-log/internal-events.js';
import { isBigId, isUuid } from '../../platform/values/ids.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field, once, onceAsJson } from '../../platform/fields/field.js';
import { CursorQuery, PageQuery } from '../../platform/http/page.dto.js';
import { timeBoundField } from '../../platform/fields/time-bound.js';

const personIdParam: Field<string | undefined> = {
  description: 'Events of this person: the integer id or the uuid.',
  schema: { type: 'string' },
  example: '1',
  read: (value, attr) => {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && (isBigId(value) || isUuid(value))) return value;
    throw invalidInput(`${attr} must be the integer id or the uuid of a person`, attr);
  },
};

export class EventNamesQuery extends PageQuery {
  @QueryParam(
    field.boolean({
      description: `Also ${internalEvents.join(', ')}, which change persons and groups.`,
      fallback: false,
    }),
  )
  include_internal = false;

  @QueryParam(field.boolean({ description: 'Also names that the catalogue of the project hides.', fallback: false }))
  include_hidden = false;
}

export class EventsQuery extends CursorQuery {
  @QueryParam(personIdParam)
  person_id?: string;

  @QueryParam(field.text({ says: once, description: 'Events sent with exactly this distinct id.', example: 'ada' }))
  distinct_id?: string;

  @QueryParam(field.text({ says: once, min: 1, max: 200, description: 'Events of this name.', example: 'signed up' }))
  event?: string;

  @QueryParam(timeBoundField('Events later than this.', '2026-01-01T00:00:00Z'))
  after?: string;

  @QueryParam(timeBoundField('Events earlier than this.', '2026-02-01T00:00:00Z'))
  before?: string;

  @QueryParam(
    field.text({
      says: onceAsJson,
      description:
        'Filters as JSON: a list, all of which must match, or a group `{"type": "AND" | "OR", "values": […]}` nested to any depth. ' +
        'Types: `event` (default), `person`, `cohort`, `event_metadata` (`timestamp`, `distinct_id`, `event`).',
      example: '[{"key":"plan","operator":"exact","value":["pro"],"type":"event"}]',
    }),
  )
  properties?: string;
}

export class EventDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ example: 'signed up' })
  event: string;

  @ApiProperty({ example: 'ada' })
  distinct_id: string;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The person to which the distinct id belongs now; null when there is none.',
    example: 41,
  })
  person_id: number | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  timestamp: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.120Z' })
  received_at: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  properties: object;
}

export class EventNameDto {
  @ApiProperty({ example: 'signed up' })
  name: string;

  @ApiProperty({ type: 'integer', description: 'The number of events with this name.', example: 1200 })
  count: number;
}

export class IngestionWarningDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ example: 'cannot_merge_already_identified' })
  type: string;

  @ApiProperty({ example: 'The person of the anonymous id is identified already' })
  detail: string;

  @ApiProperty({ type: String, format: 'uuid', nullable: true, example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  event_uuid: string | null;

  @ApiProperty({ type: String, nullable: true, example: 'ada' })
  distinct_id: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.120Z' })
  created_at: string;
}
