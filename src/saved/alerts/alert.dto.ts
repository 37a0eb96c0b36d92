import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType, PickType } from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { field } from '../../platform/fields/field.js';
import { asProperty } from '../../platform/fields/schema.js';
import { DeletedField, DeletedProperty } from '../../platform/http/deleted-field.js';
import { BodyField, QueryParam } from '../../platform/http/field-decorators.js';
import { PageQuery } from '../../platform/http/page.dto.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { longestName } from '../saved.dto.js';
import { conditionTypes, thresholdTypes, type AlertChange } from './alert-rule.js';
import { bandLimits, maxSeriesIndex, maxSubscribers } from './read-alert.js';
import { calculationIntervals, type CalculationInterval } from './schedule.js';

const boundSchema = { type: 'number', nullable: true };

const conditionSchema = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { type: 'string', enum: [...conditionTypes] },
    deviations: { type: 'number', maximum: bandLimits.deviations.max },
    periods: { type: 'integer', minimum: bandLimits.periods.min, maximum: bandLimits.periods.max },
  },
};

const thresholdSchema = {
  type: 'object',
  required: ['configuration'],
  properties: {
    configuration: {
      type: 'object',
      required: ['type', 'bounds'],
      properties: {
        type: { type: 'string', enum: [...thresholdTypes] },
        bounds: { type: 'object', properties: { lower: boundSchema, upper: boundSchema } },
      },
    },
  },
};

const configSchema = {
  type: 'object',
  properties: {
    type: { type: 'string', enum: ['TrendsAlertConfig'] },
    series_index: { type: 'integer', minimum: 0, maximum: maxSeriesIndex },
    check_ongoing_interval: { type: 'boolean', enum: [false], nullable: true },
  },
};

const insightSchema = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'integer' },
    short_id: { type: 'string' },
    name: { type: 'string', nullable: true },
  },
};

const condition = { type: 'absolute_value' };
const threshold = { configuration: { type: 'absolute', bounds: { lower: 100, upper: null } } };
const config = { type: 'TrendsAlertConfig', series_index: 0, check_ongoing_interval: false };

export class CreateAlertBody {
  @BodyField(
    field.text({ max: longestName, withoutNul: true, description: 'Messages contain it.', example: 'Few sign-ups' }),
  )
  name?: string;

  @BodyField(
    field.any({
      required: true,
      schema: { oneOf: [{ type: 'integer', minimum: 1 }, insightSchema] },
      description:
        'The id of a saved question: a trend by the hour, day, week or month with one number for each interval, so without a breakdown, ' +
        'a running sum, smoothing or a single number for the whole range. Its own time range has no effect.',
      example: 12,
    }),
  )
  insight: unknown;

  @BodyField(
    field.any({
      schema: { ...conditionSchema, nullable: true },
      description:
        'What is compared: the number (`absolute_value`, the default), its increase or decrease since the interval before, or, with `band`, the ' +
        'number with its own past: the median of `periods` earlier intervals, plus and minus `deviations` times the median distance from it. ' +
        'An hour or a day is compared with those of the same weekday.',
      example: condition,
    }),
  )
  condition?: unknown;

  @BodyField(
    field.any({
      schema: { ...thresholdSchema, nullable: true },
      description:
        'The bounds: below `lower` and above `upper` is a breach. With `percentage` they are shares, so 0.5 is 50 %. Null with `band`.',
      example: threshold,
    }),
  )
  threshold?: unknown;

  @BodyField(
    field.any({
      schema: { ...configSchema, nullable: true },
      description:
        '`series_index` is the position of the series in the question. An interval is decided after it has ended.',
      example: config,
    }),
  )
  config?: unknown;

  @BodyField(
    field.choice(calculationIntervals, {
      fallback: 'daily',
      description:
        'How often it is checked. The interval of the question that ended last is decided, and each interval once.',
      example: 'daily',
    }),
  )
  calculation_interval?: CalculationInterval;

  @BodyField(field.jsonBoolean({ fallback: true, description: 'False: nothing is checked.', example: true }))
  enabled?: boolean;

  @BodyField(
    field.text({
      nullable: true,
      max: 100,
      description:
        'Nothing is checked before this moment: ISO 8601, or from now on, such as `2h`, `1d` or `1w`. Null: checked.',
      example: null,
    }),
  )
  snoozed_until?: string | null;

  @BodyField(
    field.jsonBoolean({
      nullable: true,
      description: 'True: hours and days of Saturday and Sunday, in the time zone of the project, are not decided.',
      example: false,
    }),
  )
  skip_weekend?: boolean | null;

  @BodyField(
    field.any({
      schema: {
        type: 'array',
        maxItems: maxSubscribers,
        items: { oneOf: [{ type: 'integer', minimum: 1 }, { $ref: getSchemaPath(UserDto) }] },
      },
      description:
        'The ids of users of this project who get an e-mail when it fires and when that ends. Needs an SMTP server (`SMTP_URL`), else 409.',
      example: [],
    }),
  )
  subscribed_users?: unknown;
}

export class AlertErrorDto {
  @ApiProperty({ description: '`unavailable` and `error` pass by themselves.', example: 'too_expensive' })
  code: string;

  @ApiProperty({ example: 'The question took too long' })
  detail: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  at: string;
}

export const alertStates = ['Firing', 'Not firing', 'Errored', 'Snoozed'] as const;
export type AlertState = (typeof alertStates)[number];

class DecidedDto {
  @ApiProperty({
    format: 'date-time',
    description: 'The first moment of the interval.',
    example: '2026-01-08T00:00:00.000Z',
  })
  interval_start: string;

  @ApiProperty({ description: 'The number of the interval.', example: 93 })
  calculated_value: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'What is compared with the bounds: the number or its change. Null: an infinite change, from 0.',
    example: 93,
  })
  compared: number | null;

  @ApiProperty({ type: Number, nullable: true, example: 100 })
  lower: number | null;

  @ApiProperty({ type: Number, nullable: true, example: null })
  upper: number | null;

  @ApiProperty({ enum: ['Firing', 'Not firing'], example: 'Firing' })
  state: 'Firing' | 'Not firing';

  @ApiProperty({
    enum: ['fired', 'resolved', null],
    nullable: true,
    description: 'What messages tell of this interval; null: nothing has changed.',
    example: 'fired',
  })
  change: AlertChange | null;
}

export class AlertCheckDto extends DecidedDto {
  @ApiProperty({ format: 'date-time', description: 'When it was decided.', example: '2026-01-09T00:01:00.000Z' })
  created_at: string;
}

@ApiExtraModels(UserDto, AlertErrorDto)
export class AlertDto {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ example: 'Few sign-ups' })
  name: string;

  @ApiProperty(
    asProperty(insightSchema, {
      description: 'The saved question. Its name is null once it is deleted.',
      example: { id: 12, short_id: 'k7Qx2mPa', name: 'Sign-ups' },
    }),
  )
  insight: { readonly id: number; readonly short_id: string; readonly name: string | null };

  @ApiProperty(asProperty(conditionSchema, { example: condition }))
  condition: object;

  @ApiProperty(asProperty({ ...thresholdSchema, nullable: true }, { example: threshold }))
  threshold: object | null;

  @ApiProperty(asProperty(configSchema, { example: config }))
  config: object;

  @ApiProperty({ enum: [...calculationIntervals], example: 'daily' })
  calculation_interval: CalculationInterval;

  @ApiProperty({ example: true })
  enabled: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why the service has disabled it.', example: null })
  disabled_reason: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  snoozed_until: string | null;

  @ApiProperty({ example: false })
  skip_weekend: boolean;

  @ApiProperty({ type: [UserDto], description: 'The users who get e-mails.', example: [] })
  subscribed_users: UserDto[];

  @ApiProperty({ enum: [...alertStates], example: 'Not firing' })
  state: AlertState;

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(AlertErrorDto) }],
    nullable: true,
    description: 'Why the last check failed; it is tried again.',
    example: null,
  })
  error: AlertErrorDto | null;

  @ApiProperty({ type: Number, nullable: true, description: 'The number of the last decided interval.', example: 120 })
  last_value: number | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-09T00:01:00.000Z' })
  last_checked_at: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  last_notified_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Null while it is disabled.',
    example: '2026-01-10T00:01:00.000Z',
  })
  next_check_at: string | null;

  @ApiProperty({
    type: [AlertCheckDto],
    description: 'The decided intervals, newest first: only in the answer to the request for one alert.',
    example: [],
  })
  checks: AlertCheckDto[];

  @ApiProperty({ type: 'integer', nullable: true, description: 'How many checks are kept; null in lists.', example: 1 })
  checks_total: number | null;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(UserDto) }], nullable: true, example: null })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  updated_at: string;

  @DeletedProperty()
  deleted: boolean;
}

@SentBackAs(AlertDto, [
  ...['state', 'error', 'disabled_reason', 'last_value', 'last_checked_at', 'last_notified_at', 'next_check_at'],
  ...['checks', 'checks_total', 'updated_at'],
])
export class UpdateAlertBody extends PartialType(CreateAlertBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class AlertsQuery extends PageQuery {
  @QueryParam(
    field.integer({ min: 1, max: 2 ** 31 - 1, description: 'Only alerts on this saved question.', example: 12 }),
  )
  insight_id?: number;
}

export const maxChecks = 500;

export class AlertQuery {
  @QueryParam(field.integer({ min: 0, max: maxChecks, fallback: 5, description: 'How many checks.', example: 5 }))
  checks_limit: number = 5;

  @QueryParam(
    field.integer({
      min: 0,
      max: 2 ** 31 - 1,
      fallback: 0,
      description: 'How many newer checks are left out.',
      example: 0,
    }),
  )
  checks_offset: number = 0;
}

export const maxBacktestDays = 90;

export class BacktestQuery {
  @QueryParam(
    field.integer({
      min: 1,
      max: maxBacktestDays,
      fallback: maxBacktestDays,
      description: 'How far back, in days.',
      example: 30,
    }),
  )
  days: number = maxBacktestDays;
}

export class BacktestBody extends PickType(CreateAlertBody, [
  'insight',
  'condition',
  'threshold',
  'config',
  'calculation_interval',
  'skip_weekend',
] as const) {}

export class BacktestDto {
  @ApiProperty({
    format: 'date-time',
    description: 'The first moment of the range.',
    example: '2026-01-01T00:00:00.000Z',
  })
  date_from: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  as_of: string;

  @ApiProperty({ type: 'integer', description: 'How often it would have fired.', example: 2 })
  fired: number;

  @ApiProperty({ type: [DecidedDto], description: 'Every interval that it would have decided, in order.' })
  results: DecidedDto[];
}
