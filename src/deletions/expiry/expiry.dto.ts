import { ApiProperty } from '@nestjs/swagger';
import { readJsonText } from '../../platform/values/json.js';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { PageQuery } from '../../platform/http/page.dto.js';
import { type Field } from '../../platform/fields/declaration.js';
import { field } from '../../platform/fields/field.js';
import { asProperty } from '../../platform/fields/schema.js';
import { integerOf, readText } from '../../platform/fields/values.js';
import {
  readExpiryByName,
  readExpiryDays,
  expiryByNameSchema,
  expiryDays,
  type EventExpiry,
} from '../../kernel/projects/event-expiry.js';
import { type ExpiryState } from './expiry-run.entity.js';

/** Wraps a sent value, because null is a value and undefined means that nothing was sent. */
interface Sent<T> {
  readonly value: T;
}

const sentDays: Field<Sent<number | null> | undefined> = {
  description:
    'With `preview=true`: counts for this value instead of the stored setting. `null` keeps events for ever.',
  schema: { type: 'string', pattern: '^(null|[1-9][0-9]{0,4})$' },
  example: '365',
  read: (value, attr) => {
    if (value === undefined || value === null) return undefined;
    return { value: value === 'null' ? null : readExpiryDays(integerOf(value) ?? value, attr) };
  },
};

const sentDaysByName: Field<Sent<EventExpiry['daysByName']> | undefined> = {
  description: 'With `preview=true`: counts for these exceptions instead of the stored ones; an object, as JSON.',
  schema: { type: 'string' },
  example: '{"$pageview":30,"order paid":null}',
  read: (value, attr) => {
    if (value === undefined || value === null) return undefined;
    return { value: readExpiryByName(readJsonText(readText(value, attr), attr), attr) };
  },
};

export class ExpiryQuery extends PageQuery {
  @QueryParam(
    field.boolean({
      fallback: false,
      description: 'Counts what the next run will remove, instead of listing the receipts of past runs.',
      example: true,
    }),
  )
  preview: boolean = false;

  @QueryParam(sentDays)
  events_ttl_days?: Sent<number | null>;

  @QueryParam(sentDaysByName)
  events_ttl_days_by_name?: Sent<EventExpiry['daysByName']>;
}

class TtlDto {
  @ApiProperty({
    type: 'integer',
    minimum: expiryDays.min,
    maximum: expiryDays.max,
    nullable: true,
    description: 'The setting that was used; null: for ever.',
    example: 365,
  })
  events_ttl_days: number | null;

  @ApiProperty(
    asProperty(expiryByNameSchema, { description: 'The exceptions that were used.', example: { 'order paid': null } }),
  )
  events_ttl_days_by_name: Readonly<Record<string, number | null>>;

  @ApiProperty({
    format: 'date-time',
    description: 'The moment from which the age of an event counts.',
    example: '2026-01-04T05:00:00.000Z',
  })
  counted_from: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Only events that arrived up to this moment are removed: a day before.',
    example: '2026-01-03T05:00:00.000Z',
  })
  received_up_to: string;
}

export class ExpiredNameDto {
  @ApiProperty({ description: 'The name of the events.', example: '$pageview' })
  event: string;

  @ApiProperty({ type: 'integer', example: 1200 })
  count: number;
}

export class ExpiredMonthDto {
  @ApiProperty({ description: 'A month in UTC.', example: '2024-03' })
  month: string;

  @ApiProperty({ type: 'integer', example: 1200 })
  count: number;
}

export class ExpiringNameDto extends ExpiredNameDto {
  @ApiProperty({ format: 'date-time', example: '2024-03-01T10:00:00.000Z' })
  oldest: string;
}

export class ExpiryPreviewDto extends TtlDto {
  @ApiProperty({
    format: 'date-time',
    description: 'The scheduled moment of the next run, for which the events are counted.',
    example: '2026-01-04T05:00:00.000Z',
  })
  next_run: string;

  @ApiProperty({ type: 'integer', description: 'The number of events that the next run will remove.', example: 1200 })
  total: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The timestamp of the oldest of them.',
    example: '2024-03-01T10:00:00.000Z',
  })
  oldest: string | null;

  @ApiProperty({ type: [ExpiredMonthDto], description: 'By the months of their timestamps, oldest first.' })
  months: ExpiredMonthDto[];

  @ApiProperty({ type: [ExpiringNameDto], description: 'By name, at most 100 names, most frequent first.' })
  events: ExpiringNameDto[];

  @ApiProperty({ type: 'integer', description: 'The number of names that have such events.', example: 1 })
  event_names: number;

  @ApiProperty({
    format: 'date-time',
    description: 'The counts are complete up to this moment.',
    example: '2026-01-02T10:00:00.000Z',
  })
  as_of: string;
}

const states: readonly ExpiryState[] = ['running', 'done', 'stopped'];

export class ExpiryRunDto extends TtlDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({
    enum: states,
    description: '`stopped`: the settings were changed while the run removed events.',
    example: 'done',
  })
  state: ExpiryState;

  @ApiProperty({ format: 'date-time', example: '2026-01-04T05:00:00.120Z' })
  started_at: string;

  @ApiProperty({ type: 'integer', description: 'The number of events removed so far.', example: 1200 })
  events_deleted: number;

  @ApiProperty({ type: [ExpiredNameDto], description: 'By name, at most 100 names, most frequent first.' })
  events: ExpiredNameDto[];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The number of events that the last count found in ClickHouse; null before the first count.',
    example: 0,
  })
  events_left: number | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The time at which neither store had any of the events.',
    example: '2026-01-04T05:00:02.000Z',
  })
  verified_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'The reason why the run was stopped, or why its last attempt did not finish; the job retries by itself.',
    example: null,
  })
  error: string | null;
}
