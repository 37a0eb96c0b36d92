import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ApiWarnings, type QuestionWarningDto } from '../filters/warnings/question-warning.dto.js';

export class NodeTimingDto {
  @ApiProperty({ description: 'What took the time.', example: 'total' })
  k: string;

  @ApiProperty({ description: 'Seconds.', example: 0.042 })
  t: number;
}

export class NodeRangeDto {
  @ApiProperty({ format: 'date-time', example: '2026-01-02T00:00:00.000Z' })
  date_from: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T23:59:59.999Z' })
  date_to: string;
}

export class NodeStatusDto {
  @ApiProperty({ description: '`client_query_id`, or else the id of the request.', example: 'a7f3' })
  id: string;

  @ApiProperty({ type: 'integer', description: 'The id of the project.', example: 1 })
  team_id: number;

  @ApiProperty({ description: 'Always false: every answer comes at once.', example: false })
  query_async: boolean;

  @ApiProperty({ example: true })
  complete: boolean;

  @ApiProperty({ example: false })
  error: boolean;

  @ApiProperty({ type: 'string', nullable: true, example: null })
  error_message: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  start_time: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.042Z' })
  end_time: string;
}

export class NodeOptionDto {
  @ApiProperty({ description: 'For the reader.', example: '8-Jan-2026' })
  label: string;

  @ApiProperty({
    oneOf: [{ type: 'string' }, { type: 'number' }],
    description: 'What selects it in an InsightActorsQuery.',
    example: '2026-01-08',
  })
  value: string | number;
}

export class NodeOptionsDto {
  @ApiProperty({ type: [NodeOptionDto] })
  values: NodeOptionDto[];
}

/** The answer to a node. Which of the optional keys it has depends on the kind of the node. */
export class NodeAnswerDto {
  @ApiProperty({
    anyOf: [
      { type: 'array', items: {} },
      { type: 'object', additionalProperties: true },
    ],
    description: 'In the form of the reference product: series, steps, rows, edges or persons.',
    example: [{ label: 'signed up', days: ['2026-01-08'], data: [3], count: 3 }],
  })
  results: unknown;

  @ApiPropertyOptional({ type: [String], description: 'Lists: the columns, as the node names them.' })
  columns?: string[];

  @ApiPropertyOptional({ type: [String], description: 'EventsQuery: the type of each column.' })
  types?: string[];

  @ApiPropertyOptional({ description: 'True if there is more: rows, or values of a breakdown.', example: false })
  hasMore?: boolean;

  @ApiPropertyOptional({ type: 'integer', example: 100 })
  limit?: number;

  @ApiPropertyOptional({ type: 'integer', example: 0 })
  offset?: number;

  @ApiPropertyOptional({
    type: 'string',
    nullable: true,
    description: 'EventsQuery: the question in SQL; null if filters or dates are part of it.',
    example: null,
  })
  hogql?: string | null;

  @ApiPropertyOptional({
    type: 'array',
    nullable: true,
    items: { type: 'number' },
    description: 'RetentionQuery: the mean of the rates, as `persons/retention` has it.',
    example: [1, 0.4],
  })
  mean?: number[] | null;

  @ApiPropertyOptional({ type: [NodeOptionDto], description: 'InsightActorsQueryOptions: the points of the insight.' })
  day?: NodeOptionDto[];

  @ApiPropertyOptional({ type: [NodeOptionDto], description: 'The series.' })
  series?: NodeOptionDto[];

  @ApiPropertyOptional({ type: [NodeOptionDto], description: 'The values of a breakdown by one property.' })
  breakdown?: NodeOptionDto[];

  @ApiPropertyOptional({
    type: [NodeOptionsDto],
    description: 'The values of each property of a breakdown by several.',
  })
  breakdowns?: NodeOptionsDto[];

  @ApiPropertyOptional({ type: [NodeOptionDto], description: 'The current and the previous range.' })
  compare?: NodeOptionDto[];

  @ApiPropertyOptional({ type: [NodeOptionDto], description: 'The states of a lifecycle.' })
  status?: NodeOptionDto[];

  @ApiPropertyOptional({ type: [NodeOptionDto], description: 'The intervals of retention.' })
  interval?: NodeOptionDto[];

  @ApiPropertyOptional({ type: NodeRangeDto, description: 'Insights: the time range of the question.' })
  resolved_date_range?: NodeRangeDto;

  @ApiProperty({ example: 'UTC' })
  timezone: string;

  @ApiProperty({ description: 'Always false: the answer was computed for this request.', example: false })
  is_cached: boolean;

  @ApiProperty({
    format: 'date-time',
    description: 'The answer includes everything that was acknowledged up to this moment.',
    example: '2026-01-08T10:00:00.000Z',
  })
  last_refresh: string;

  @ApiProperty({ type: [NodeTimingDto] })
  timings: NodeTimingDto[];

  @ApiProperty({ type: NodeStatusDto })
  query_status: NodeStatusDto;

  @ApiWarnings()
  warnings?: QuestionWarningDto[];
}
