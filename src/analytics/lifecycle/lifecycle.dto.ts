import { ApiProperty } from '@nestjs/swagger';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { InsightDto } from '../shared/insight-page.dto.js';

export class LifecycleDto extends InsightDto {
  @ApiProperty({ enum: ['lifecycle'] })
  kind: 'lifecycle';

  @ApiProperty({ enum: intervals, example: 'day' })
  interval: Interval;

  @ApiProperty({ type: [String], example: ['2026-01-01', '2026-01-02'] })
  days: string[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Active at the point in which they were created.',
    example: [1, 0],
  })
  new: number[];

  @ApiProperty({ type: 'integer', isArray: true, description: 'Active here and at the point before.', example: [4, 3] })
  returning: number[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Active again, but not at the point before.',
    example: [0, 1],
  })
  resurrecting: number[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'As negative numbers: active at the point before, but not at this one.',
    example: [-2, -1],
  })
  dormant: number[];
}
