import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { InsightDto } from '../shared/insight-page.dto.js';

export class StickinessSeriesDto {
  @ApiProperty({ example: 'signed up' })
  label: string;

  @ApiProperty({ type: 'integer', example: 0 })
  order: number;

  @ApiPropertyOptional({ description: 'With `compare`: current or previous.', example: 'current' })
  compare_label?: string;

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Numbers of intervals, or of groups of `interval_count` intervals.',
    example: [1, 2, 3],
  })
  days: number[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Persons active in exactly that many intervals.',
    example: [2, 1, 1],
  })
  data: number[];

  @ApiProperty({ type: 'integer', description: 'Persons active in at least one interval.', example: 4 })
  count: number;
}

export class StickinessDto extends InsightDto {
  @ApiProperty({ enum: ['stickiness'] })
  kind: 'stickiness';

  @ApiProperty({ enum: intervals, example: 'day' })
  interval: Interval;

  @ApiProperty({ type: 'integer', example: 1 })
  interval_count: number;

  @ApiProperty({ type: [StickinessSeriesDto] })
  series: StickinessSeriesDto[];
}
