import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { breakdownLabels, breakdownValue } from '../shared/breakdown.dto.js';
import { InsightDto } from '../shared/insight-page.dto.js';

class RetentionNumbersDto extends InsightDto {
  @ApiProperty({ enum: ['retention'] })
  kind: 'retention';

  @ApiProperty({ enum: intervals, example: 'day' })
  interval: Interval;

  @ApiProperty({
    type: 'array',
    nullable: true,
    items: { type: 'integer' },
    description: '`retention_custom_brackets` of the question.',
    example: null,
  })
  brackets: number[] | null;

  @ApiProperty({
    type: [String],
    description: 'Of the cells of the longest row; with brackets such as `Day 2-4`.',
    example: ['Day 0', 'Day 1'],
  })
  labels: string[];

  @ApiProperty({
    type: [String],
    description: 'The first day of each interval.',
    example: ['2026-01-01', '2026-01-02'],
  })
  dates: string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'integer' } },
    description:
      'Row i: the persons who began in interval i, then how many of them came back in each later interval or bracket.',
    example: [[10, 4], [8]],
  })
  matrix: number[][];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'number' } },
    description: 'The same numbers as shares of the first cell of the row.',
    example: [[1, 0.4], [1]],
  })
  rates: number[][];

  @ApiProperty({
    type: 'array',
    nullable: true,
    items: { type: 'number' },
    description:
      'For each label, the mean of the rates of the rows that are long enough; rows that no person began do not count. Null with `mean_retention_calculation` none.',
    example: [1, 0.4],
  })
  mean: number[] | null;
}

/** The numbers of those who began with one value of a breakdown. */
export class RetentionOfValueDto extends PickType(RetentionNumbersDto, ['matrix', 'rates', 'mean']) {
  @ApiProperty(breakdownValue)
  value: string | string[];

  @ApiPropertyOptional(breakdownLabels)
  labels?: string[];
}

export class RetentionDto extends RetentionNumbersDto {
  @ApiPropertyOptional({
    type: [RetentionOfValueDto],
    description:
      'With a breakdown: the same numbers for each value, those of the events that have it; the values with which most persons began come first. `matrix` still has all events.',
  })
  breakdown?: RetentionOfValueDto[];
}
