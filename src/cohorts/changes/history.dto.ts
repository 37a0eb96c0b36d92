import { ApiProperty } from '@nestjs/swagger';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { field } from '../../platform/fields/field.js';
import { changeLifetimeDays } from '../../kernel/memberships/changes.repository.js';

export class HistoryQuery {
  @QueryParam(
    field.integer({
      min: 1,
      max: changeLifetimeDays,
      fallback: 30,
      description: 'The number of days up to today.',
      example: 30,
    }),
  )
  days: number = 30;
}

export class CohortDayDto {
  @ApiProperty({ format: 'date', example: '2026-01-31' })
  date: string;

  @ApiProperty({
    type: 'integer',
    description: 'The members at the end of the day, of today those of now.',
    example: 120,
  })
  size: number;

  @ApiProperty({ type: 'integer', description: 'How often persons entered on the day.', example: 7 })
  entered: number;

  @ApiProperty({ type: 'integer', description: 'How often persons left on the day.', example: 2 })
  left: number;
}

export class CohortHistoryDto {
  @ApiProperty({ type: [CohortDayDto], description: 'Day by day, since members are known.' })
  results: CohortDayDto[];

  @ApiProperty({ description: 'The time zone of the days: that of the project.', example: 'UTC' })
  timezone: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Members are known since then.',
    example: '2026-01-01T09:00:00.000Z',
  })
  known_from: string;
}
