import { ApiProperty } from '@nestjs/swagger';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { InsightDto } from '../shared/insight-page.dto.js';

class AnyTrendsSeriesDto {
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

  @ApiProperty({
    description:
      'The sum of the data; the last value of a running sum; the single value itself. With `formula`: the formula of the counts of its series, so that a ratio of sums is shown and never a sum of ratios.',
    example: 7.5,
  })
  count: number;
}

export class TrendsSeriesDto extends AnyTrendsSeriesDto {
  @ApiProperty({
    type: [String],
    description:
      'The first day of each point; by the hour and minute its time, with the offset where clocks are put back and show it twice.',
    example: ['2026-01-01', '2026-01-02'],
  })
  days: string[];

  @ApiProperty({ type: [Number], description: 'A number for each point.', example: [3, 4.5] })
  data: number[];

  @ApiProperty({ enum: [null], nullable: true, description: 'Null, because there are points.', example: null })
  aggregated_value: null;
}

export class TrendsTotalDto extends AnyTrendsSeriesDto {
  @ApiProperty({ description: 'The single value.', example: 7.5 })
  aggregated_value: number;
}

class AnyTrendsDto extends InsightDto {
  @ApiProperty({ enum: ['trends'] })
  kind: 'trends';

  @ApiProperty({ enum: intervals, example: 'day' })
  interval: Interval;
}

/** A number for each point of the time axis. */
export class TrendsDto extends AnyTrendsDto {
  @ApiProperty({ type: [TrendsSeriesDto] })
  series: TrendsSeriesDto[];
}

/** With a total-value `display`: one number for the whole range. */
export class TrendsTotalsDto extends AnyTrendsDto {
  @ApiProperty({ type: [TrendsTotalDto] })
  series: TrendsTotalDto[];
}

/** The form of an answer, which depends on `display`. */
export type TrendsForm = AnyTrendsDto & { readonly series: readonly (TrendsSeriesDto | TrendsTotalDto)[] };

export const trendsForms = [TrendsDto, TrendsTotalsDto] as const;
