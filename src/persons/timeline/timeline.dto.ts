import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional, IsString } from 'class-validator';
import { FormatParam, type Format } from '../../platform/csv/format.dto.js';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { defaultDateFrom } from '../../platform/time/range.js';
import { PersonDto } from '../person.dto.js';

export class TimelineQuery {
  @FormatParam()
  format: Format = 'json';

  @ApiPropertyOptional({
    default: defaultDateFrom,
    description: 'ISO date, `all`, or relative such as `-7d`, `mStart`.',
    example: '-30d',
  })
  @IsOptional()
  @IsString({ message: 'date_from must be given once' })
  date_from?: string;

  @ApiPropertyOptional({ description: 'Like `date_from`; the default is the end of today.', example: '2026-02-01' })
  @IsOptional()
  @IsString({ message: 'date_to must be given once' })
  date_to?: string;

  @ApiPropertyOptional({ enum: intervals, default: 'day', description: 'Where relative dates begin.', example: 'day' })
  @IsIn(intervals, { message: `interval must be one of ${intervals.join(', ')}` })
  interval: Interval = 'day';

  @ApiPropertyOptional({
    description:
      'The relevant events as JSON: a list of `{"id": "<event>", "properties": […]}`; an `id` of null matches any event, and so does a missing list.',
    example: '[{"id":"signed up"}]',
  })
  @IsOptional()
  @IsString({ message: 'events must be given once, as JSON' })
  events?: string;

  @ApiPropertyOptional({
    description:
      'Filters as JSON. They do not select events: the keys of filters of type `person` are the crucial ones. Without such filters, every key is.',
    example: '[{"key":"plan","operator":"is_set","type":"person"}]',
  })
  @IsOptional()
  @IsString({ message: 'properties must be given once, as JSON' })
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
