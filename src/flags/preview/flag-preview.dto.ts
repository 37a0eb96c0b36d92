import { ApiProperty, PickType } from '@nestjs/swagger';
import { CreateFlagBody } from '../flag.dto.js';

export class PreviewFlagBody extends PickType(CreateFlagBody, ['key', 'filters'] as const) {}

export class VariantCountDto {
  @ApiProperty({ description: 'The key of the variant, or `holdout-<id>`.', example: 'control' })
  key: string;

  @ApiProperty({ type: 'integer', example: 206 })
  count: number;
}

export class ConditionCountDto {
  @ApiProperty({ type: 'integer', description: 'How many match its filters, whatever its percentage.', example: 412 })
  matched: number;

  @ApiProperty({
    type: 'integer',
    description: 'For how many it is the condition that turns the flag on.',
    example: 206,
  })
  decided: number;
}

export class FlagPreviewDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The type of the groups that are counted; null: persons are counted.',
    example: null,
  })
  group_type_index: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'All persons of the project, or all groups of the type.',
    example: 1020,
  })
  total: number;

  @ApiProperty({ type: 'integer', description: 'For how many the flag is on.', example: 412 })
  enabled: number;

  @ApiProperty({ type: [VariantCountDto], description: 'In the order of the flag, and last those held out.' })
  variants: VariantCountDto[];

  @ApiProperty({ type: [ConditionCountDto], description: 'In the order of the flag.' })
  conditions: ConditionCountDto[];
}
