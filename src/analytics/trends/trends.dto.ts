import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { InsightDto } from '../shared/insight-page.dto.js';

export class TrendsSeriesDto {
  @ApiProperty({ example: 'signed up' })
  label: string;

  @ApiProperty({ type: 'integer', description: 'The order of the entity; 0 for a formula.', example: 0 })
  order: number;

  @ApiProperty({
    description:
      'One text, a list for several properties; of a cohort its id or `all`, of a bin its bounds. `""` is a missing value, `Other` all other values.',
    oneOf: [
      { type: 'string', nullable: true },
      { type: 'array', items: { type: 'string' } },
    ],
    example: 'Chrome',
  })
  breakdown_value: string | string[] | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'With `compare`: current or previous.', example: null })
  compare_label: string | null;

  @ApiPropertyOptional({
    type: [String],
    description: 'The first day of each point; missing in a total-value display.',
    example: ['2026-01-01', '2026-01-02'],
  })
  days?: string[];

  @ApiPropertyOptional({ type: [Number], description: 'A number for each point.', example: [3, 4.5] })
  data?: number[];

  @ApiProperty({
    description:
      'The sum of the data; the last value of a running sum; the single value itself. With `formula`: the formula of the counts of its series, so that a ratio of sums is shown and never a sum of ratios.',
    example: 7.5,
  })
  count: number;

  @ApiProperty({
    type: Number,
    nullable: true,
    description: 'The single value of a total-value display.',
    example: null,
  })
  aggregated_value: number | null;
}

export class TrendsDto extends InsightDto {
  @ApiProperty({ enum: ['trends'] })
  kind: string;

  @ApiProperty({ example: 'day' })
  interval: string;

  @ApiProperty({ type: [TrendsSeriesDto] })
  series: TrendsSeriesDto[];
}
