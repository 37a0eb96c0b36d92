import { ApiProperty } from '@nestjs/swagger';
import { InsightDto } from '../asking/insight-page.dto.js';

export class RetentionDto extends InsightDto {
  @ApiProperty({ enum: ['retention'] })
  kind: string;

  @ApiProperty({ example: 'day' })
  interval: string;

  @ApiProperty({ type: [String], example: ['Day 0', 'Day 1'] })
  labels: string[];

  @ApiProperty({ type: [String], description: 'First days of the intervals.', example: ['2026-01-01', '2026-01-02'] })
  dates: string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' } },
    description: 'Row i: who began in interval i, and how many of them were there again in each later one.',
    example: [[10, 4], [8]],
  })
  matrix: number[][];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'number' } },
    description: 'The same as parts of the row’s first cell.',
    example: [[1, 0.4], [1]],
  })
  rates: number[][];
}
