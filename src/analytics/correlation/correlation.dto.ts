import { ApiProperty } from '@nestjs/swagger';
import { intervals, type Interval } from '../../platform/time/intervals.js';
import { InsightDto } from '../shared/insight-page.dto.js';

export class CorrelationRowDto {
  @ApiProperty({ type: 'string', nullable: true, description: 'Null for properties of persons.', example: 'activated' })
  event: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  property: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: '`""`: the property is missing.', example: null })
  value: string | null;

  @ApiProperty({ type: 'integer', description: 'Number among the persons who converted.', example: 5 })
  success_count: number;

  @ApiProperty({ type: 'integer', description: 'Number among the persons who did not convert.', example: 1 })
  failure_count: number;

  @ApiProperty({ description: 'Above 1: more frequent among the persons who converted.', example: 4.2 })
  odds_ratio: number;

  @ApiProperty({ enum: ['success', 'failure'], example: 'success' })
  correlation_type: string;
}

export class CorrelationDto extends InsightDto {
  @ApiProperty({ enum: ['correlation'] })
  kind: 'correlation';

  @ApiProperty({ enum: intervals, example: 'day' })
  interval: Interval;

  @ApiProperty({ type: [CorrelationRowDto], description: 'Success, strongest first; then failure, strongest first.' })
  correlations: CorrelationRowDto[];

  @ApiProperty({ type: 'integer', description: 'Persons who took all steps.', example: 20 })
  success_total: number;

  @ApiProperty({ type: 'integer', description: 'Persons who took the first step, but not all steps.', example: 30 })
  failure_total: number;

  @ApiProperty({ description: 'There is no result, because one side has no persons.', example: false })
  skewed: boolean;
}
