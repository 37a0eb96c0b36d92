import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ActivityEntryDto } from '../../activity/activity.dto.js';
import { EventDto } from '../../events/log/event.dto.js';

class DocumentPersonDto {
  @ApiProperty({ type: 'integer', example: 41 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  uuid: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ description: 'Whether the person is a known user.', example: true })
  is_identified: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { plan: 'pro' } })
  properties: object;
}

class MergedPersonDto {
  @ApiProperty({ type: 'integer', example: 40 })
  id: number;

  @ApiProperty({
    type: String,
    format: 'uuid',
    nullable: true,
    description: 'Null when a later person with the same uuid was deleted.',
    example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
  })
  uuid: string | null;
}

class CohortOfPersonDto {
  @ApiProperty({ type: 'integer', example: 7 })
  id: number;

  @ApiProperty({ type: String, nullable: true, example: 'Paying users' })
  name: string | null;

  @ApiProperty({ description: 'Whether the members were listed one by one.', example: false })
  is_static: boolean;
}

class DocumentEventDto extends OmitType(EventDto, ['person_id'] as const) {}

export class PersonDocumentDto {
  @ApiProperty({ format: 'date-time', example: '2026-01-03T10:00:00.000Z' })
  exported_at: string;

  @ApiProperty({ type: DocumentPersonDto })
  person: DocumentPersonDto;

  @ApiProperty({
    type: [String],
    description: 'All distinct ids, in the order they were added.',
    example: ['ada', 'ada-phone'],
  })
  distinct_ids: string[];

  @ApiProperty({ type: [MergedPersonDto], description: 'The persons that were merged into this one.' })
  merged: MergedPersonDto[];

  @ApiProperty({ type: [CohortOfPersonDto], description: 'The cohorts of which the person is a member now.' })
  cohorts: CohortOfPersonDto[];

  @ApiProperty({
    type: [ActivityEntryDto],
    description: 'Changes of the person and of the persons merged into it, each newest first.',
  })
  activity: ActivityEntryDto[];

  @ApiProperty({ type: [DocumentEventDto], description: 'All events, in the order of time.' })
  events: DocumentEventDto[];
}
