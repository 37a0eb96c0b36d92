import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { breakdownLabels, breakdownValue } from '../shared/breakdown.dto.js';
import { InsightDto } from '../shared/insight-page.dto.js';

export class FunnelStepDto {
  @ApiProperty({ type: 'integer', example: 1 })
  order: number;

  @ApiProperty({ description: 'In an unordered funnel: `Completed 2 steps`.', example: 'signed up' })
  name: string;

  @ApiProperty({ description: 'True if persons may skip the step.', example: false })
  optional: boolean;

  @ApiProperty({
    type: 'integer',
    description: 'Persons who reached this step; if they may skip it, those who took it.',
    example: 40,
  })
  count: number;

  @ApiProperty({ description: 'Share of the persons who took the first step, 0 to 1.', example: 0.4 })
  conversion_rate: number;

  @ApiProperty({
    description: 'Share of the persons who took the step before that none may skip, 0 to 1.',
    example: 0.5,
  })
  conversion_rate_from_previous: number;

  @ApiProperty({
    type: 'number',
    nullable: true,
    description: 'Seconds since the step before that none may skip; null for a step that persons may skip.',
    example: 3600,
  })
  average_conversion_time: number | null;

  @ApiProperty({ type: 'number', nullable: true, description: 'Seconds since the step before.', example: 1800 })
  median_conversion_time: number | null;
}

export class FunnelBreakdownDto {
  @ApiProperty(breakdownValue)
  value: string | string[];

  @ApiPropertyOptional(breakdownLabels)
  labels?: string[];

  @ApiProperty({ type: [FunnelStepDto] })
  steps: FunnelStepDto[];
}

export class FunnelBinDto {
  @ApiProperty({ description: 'Seconds, inclusive.', example: 0 })
  from: number;

  @ApiProperty({ description: 'Seconds, exclusive; inclusive in the last bin.', example: 3600 })
  to: number;

  @ApiProperty({ type: 'integer', example: 4 })
  count: number;
}

export class FunnelTrendDto {
  @ApiPropertyOptional(breakdownValue)
  breakdown_value?: string | string[];

  @ApiPropertyOptional(breakdownLabels)
  breakdown_labels?: string[];

  @ApiProperty({ type: [String], description: 'Intervals in which persons entered.', example: ['2024-03-01'] })
  days: string[];

  @ApiProperty({ type: [Number], description: 'Percentage of persons who converted.', example: [33.3] })
  data: number[];

  @ApiProperty({ type: 'integer', isArray: true, description: 'Persons who took `funnel_from_step`.', example: [9] })
  reached_from: number[];

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: 'Those of them who took `funnel_to_step`.',
    example: [3],
  })
  reached_to: number[];
}

class AnyFunnelDto extends InsightDto {
  @ApiProperty({ enum: ['funnel'] })
  kind: 'funnel';

  @ApiProperty({ enum: intervals, example: 'day' })
  interval: Interval;
}

export class FunnelDto extends AnyFunnelDto {
  @ApiProperty({ type: [FunnelStepDto], description: 'Viz type steps, without a breakdown.' })
  steps: FunnelStepDto[];

  @ApiPropertyOptional({ type: [FunnelStepDto], description: 'With `compare`: the same of the other range.' })
  compared?: FunnelStepDto[];
}

export class FunnelByValueDto extends AnyFunnelDto {
  @ApiProperty({ type: [FunnelBreakdownDto], description: 'Viz type steps, with a breakdown.' })
  breakdown: FunnelBreakdownDto[];

  @ApiPropertyOptional({ type: [FunnelBreakdownDto], description: 'With `compare`: the same of the other range.' })
  compared?: FunnelBreakdownDto[];
}

export class FunnelTimesDto extends AnyFunnelDto {
  @ApiProperty({ type: [FunnelBinDto], description: 'Viz type time_to_convert.' })
  bins: FunnelBinDto[];

  @ApiProperty({ type: 'number', nullable: true, description: 'Seconds.', example: 1800 })
  average_conversion_time: number | null;
}

export class FunnelTrendsDto extends AnyFunnelDto {
  @ApiProperty({ type: [FunnelTrendDto], description: 'Viz type trends.' })
  series: FunnelTrendDto[];

  @ApiPropertyOptional({ type: [FunnelTrendDto], description: 'With `compare`: the same of the other range.' })
  compared?: FunnelTrendDto[];
}

/** The form of an answer, which depends on `funnel_viz_type` and on the breakdown. */
export type FunnelForm = FunnelDto | FunnelByValueDto | FunnelTimesDto | FunnelTrendsDto;

export const funnelForms = [FunnelDto, FunnelByValueDto, FunnelTimesDto, FunnelTrendsDto] as const;
