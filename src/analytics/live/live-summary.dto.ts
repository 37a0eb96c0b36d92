import { ApiProperty, PickType } from '@nestjs/swagger';
import { PersonDto } from '../../persons/person.dto.js';

export class LiveMinuteDto {
  @ApiProperty({
    format: 'date-time',
    description: 'The beginning of the minute.',
    example: '2026-01-02T10:00:00.000Z',
  })
  minute: string;

  @ApiProperty({ type: 'integer', example: 42 })
  count: number;
}

export class LiveEventCountDto {
  @ApiProperty({ example: 'signed up' })
  event: string;

  @ApiProperty({ type: 'integer', example: 12 })
  count: number;
}

export class LivePersonDto extends PickType(PersonDto, ['id', 'uuid', 'name'] as const) {
  @ApiProperty({ description: 'The first of the distinct ids.', example: 'ada' })
  distinct_id: string;
}

export class LastSeenDto {
  @ApiProperty({ type: LivePersonDto, description: 'A person, or a profile-less actor, whose id is negative.' })
  person: LivePersonDto;

  @ApiProperty({ description: 'The name of the last event.', example: '$pageview' })
  last_event: string;

  @ApiProperty({ format: 'date-time', description: 'The time of the last event.', example: '2026-01-02T10:00:00.000Z' })
  last_seen_at: string;
}

export class ActivePersonsDto {
  @ApiProperty({
    type: 'integer',
    description: 'The persons with an event in the last five minutes, profile-less actors included.',
    example: 7,
  })
  active_last_5_minutes: number;

  @ApiProperty({ type: [LastSeenDto], description: 'The last twenty of them, the latest first.' })
  latest: LastSeenDto[];
}

export class LiveSummaryDto {
  @ApiProperty({
    type: [LiveMinuteDto],
    description: 'The last thirty minutes, of which the present one is the last; by the times of events.',
  })
  minutes: LiveMinuteDto[];

  @ApiProperty({ type: [LiveEventCountDto], description: 'The ten most frequent events of these minutes.' })
  top_events: LiveEventCountDto[];

  @ApiProperty({ type: ActivePersonsDto })
  persons: ActivePersonsDto;

  @ApiProperty({
    format: 'date-time',
    description: 'The time up to which the answer is complete.',
    example: '2026-01-02T10:00:00.000Z',
  })
  as_of: string;
}
