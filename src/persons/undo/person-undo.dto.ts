import { ApiProperty } from '@nestjs/swagger';
import { PersonDto } from '../person.dto.js';
import { mergeReasons, type MergeReason } from '../../kernel/identity/identity-event.js';
import { MergedPersonDto } from '../merge/person-merge.dto.js';

export class RecordedPersonDto extends MergedPersonDto {
  @ApiProperty({
    type: [String],
    description: 'The ids that came with the person, at most 100 of them, without those that were deleted since.',
    example: ['ada-2'],
  })
  distinct_ids: string[];

  @ApiProperty({ type: 'integer', description: 'The number of all ids that came with the person.', example: 1 })
  distinct_id_count: number;
}

export class PersonMergeDto {
  @ApiProperty({ type: 'integer', example: 7 })
  id: number;

  @ApiProperty({ description: 'The person that no longer exists, unless the merge was undone.' })
  merged: RecordedPersonDto;

  @ApiProperty({
    type: 'integer',
    description: 'The person into which it was merged. That person may itself have been merged since.',
    example: 41,
  })
  survivor_id: number;

  @ApiProperty({ format: 'date-time', example: '2026-03-02T09:05:00.000Z' })
  merged_at: string;

  @ApiProperty({
    enum: mergeReasons,
    description: 'The kind of the event; `by_hand` for a request.',
    example: 'identify',
  })
  reason: MergeReason;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  undone_at: string | null;

  @ApiProperty({ description: 'Whether the merge can be undone now.', example: true })
  can_undo: boolean;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The reason why the merge cannot be undone; null when it can.',
    example: null,
  })
  why_not: string | null;
}

export class UnmergePersonDto extends PersonDto {
  @ApiProperty({ description: 'The person that was merged, with its old id and uuid.' })
  restored_person: PersonDto;
}

export class UnsplitPersonDto extends PersonDto {
  @ApiProperty({
    type: [MergedPersonDto],
    description: 'The persons that the split had made, which are part of the person again.',
  })
  merged_persons: MergedPersonDto[];
}
