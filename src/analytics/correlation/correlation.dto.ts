import { ApiProperty } from '@nestjs/swagger';
import { InsightDto } from '../asking/insight-page.dto.js';

export class CorrelationRowDto {
  @ApiProperty({ type: 'string', nullable: true, description: 'Null for properties of persons.', example: 'activated' })
  event: string | null;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  property: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: '`""`: the property is missing.', example: null })
  value: string | null;

  @ApiProperty({ type: 'integer', description: 'Of those who converted.', example: 5 })
  success_count: number;

  @ApiProperty({ type: 'integer', description: 'Of those who did not.', example: 1 })
  failure_count: number;

  @ApiProperty({ description: 'Above 1: more often among those who converted.', example: 4.2 })
  odds_ratio: number;

  @ApiProperty({ enum: ['success', 'failure'], example: 'success' })
  correlation_type: string;
}

/** What the comparison itself says. */
export class CorrelationDto extends InsightDto {
  @ApiProperty({ enum: ['correlation'] })
  kind: string;

  @ApiProperty({ example: 'day' })
  interval: string;

  @ApiProperty({ type: [CorrelationRowDto], description: 'The strongest of success, then the strongest of failure.' })
  correlations: CorrelationRowDto[];

  @ApiProperty({ type: 'integer', description: 'Persons who took all steps.', example: 20 })
  success_total: number;

  @ApiProperty({ type: 'integer', description: 'Persons who took the first one and not all.', example: 30 })
  failure_total: number;

  @ApiProperty({ description: 'One of the sides has no persons, so there is no result.', example: false })
  skewed: boolean;
}
