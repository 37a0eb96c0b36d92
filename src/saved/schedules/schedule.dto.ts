import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { isPlainAddress } from '../../platform/mail/mailer.js';
import { type Weekday, weekdays } from './due-times.js';

const maxAddresses = 20;

const address = field.text({
  max: 254,
  rules: [{ holds: isPlainAddress, says: 'must each be an e-mail address such as ada@example.com' }],
});

const listOfAddresses = `must be a list of at most ${maxAddresses} e-mail addresses`;

export class CreateScheduleBody {
  @BodyField(
    field.list(address, {
      max: maxAddresses,
      says: listOfAddresses,
      unique: 'must name each address once',
      fallback: [],
      description: 'Who gets an e-mail; they need no account. An installation without SMTP_URL accepts none.',
      example: ['ada@example.com'],
    }),
  )
  addresses?: string[];

  @BodyField(
    field.jsonBoolean({
      fallback: false,
      description: 'True: webhooks of the project that list the event `dashboard.sent` get the numbers, too.',
      example: false,
    }),
  )
  webhooks?: boolean;

  @BodyField(
    field.choice(weekdays, {
      nullable: true,
      fallback: null,
      description: 'The day of each week on which it is sent. Null: every day.',
      example: 'monday',
    }),
  )
  weekday?: Weekday | null;

  @BodyField(
    field.jsonInteger({
      min: 0,
      max: 23,
      required: true,
      description: 'The hour at which it is sent, in the time zone of the project.',
      example: 9,
    }),
  )
  hour: number;
}

class ScheduleProblemDto {
  @ApiProperty({ example: 'ada@example.com: the mail server does not know this address' })
  detail: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-05T09:00:03.000Z' })
  at: string;
}

@ApiExtraModels(UserDto)
export class DashboardScheduleDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ type: [String], example: ['ada@example.com'] })
  addresses: string[];

  @ApiProperty({ example: false })
  webhooks: boolean;

  @ApiProperty({ enum: weekdays, nullable: true, description: 'Null: every day.', example: 'monday' })
  weekday: Weekday | null;

  @ApiProperty({ type: 'integer', description: 'In the time zone of the project.', example: 9 })
  hour: number;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it is sent next. Null: it has ended, because its maker may no longer show the dashboard.',
    example: '2026-01-12T09:00:00.000Z',
  })
  next_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When a receiver last got it.',
    example: '2026-01-05T09:00:02.000Z',
  })
  last_sent_at: string | null;

  @ApiProperty({
    type: 'integer',
    description: 'Addresses that have not got the last message yet. Attempts go on for a day.',
    example: 0,
  })
  waiting: number;

  @ApiProperty({
    type: ScheduleProblemDto,
    nullable: true,
    description: 'Why the last message did not get to all addresses, or was not made.',
    example: null,
  })
  problem: ScheduleProblemDto | null;

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'Who made it.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  created_at: string;
}

export class DashboardSchedulesDto {
  @ApiProperty({ type: [DashboardScheduleDto], description: 'Newest first.' })
  results: DashboardScheduleDto[];
}
