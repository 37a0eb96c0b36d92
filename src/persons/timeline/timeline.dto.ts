import { ApiProperty } from '@nestjs/swagger';
import { formatField, type Format } from '../../platform/csv/format.dto.js';
import { field, once, onceAsJson } from '../../platform/fields/field.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { defaultDateFrom } from '../../platform/time/range.js';
import { PersonDto } from '../person.dto.js';

export class TimelineQuery {
  @QueryParam(formatField)
  format: Format = 'json';

  @QueryParam(
    field.text({
      says: once,
      fallback: defaultDateFrom,
      description: 'ISO date, `all`, or relative such as `-7d`, `mStart`.',
      example: '-30d',
    }),
  )
  date_from?: string;

  @QueryParam(
    field.text({
      says: once,
      description: 'Like `date_from`; the default is the end of today.',
      example: '2026-02-01',
    }),
  )
  date_to?: string;

  @QueryParam(field.choice(intervals, { fallback: 'day', description: 'Where relative dates begin.', example: 'day' }))
  interval: Interval = 'day';

  @QueryParam(
    field.text({
      says: onceAsJson,
      description:
        'The relevant events as JSON: a list of `{"id": "<event>", "properties": […]}`; an `id` of null matches any event, and so does a missing list.',
      example: '[{"id":"signed up"}]',
    }),
  )
  events?: string;

  @QueryParam(
    field.text({
      says: onceAsJson,
      description:
        'Filters as JSON. They do not select events: the keys of filters of type `person` are the crucial ones. Without such filters, every key is.',
      example: '[{"key":"plan","operator":"is_set","type":"person"}]',
    }),
  )
  properties?: string;
}

export class TimelinePointDto {
  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  timestamp: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  properties: object;

  @ApiProperty({
    type: 'integer',
    description: 'The number of relevant events from this one until the next point.',
    example: 4,
  })
  relevant_event_count: number;
}

export class TimelineDto extends PersonDto {
  @ApiProperty({ type: [TimelinePointDto], description: 'Where a crucial property changed between relevant events.' })
  points: TimelinePointDto[];

  @ApiProperty({ type: [String], example: ['plan'] })
  crucial_property_keys: string[];

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'With `all` the first relevant event; null when there is none.',
    example: '2026-01-01T00:00:00.000Z',
  })
  date_from: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T23:59:59.999Z' })
  date_to: string;
}
