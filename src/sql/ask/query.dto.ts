import { ApiProperty } from '@nestjs/swagger';
import { ApiWarnings, type QuestionWarningDto } from '../../filters/warnings/question-warning.dto.js';

export class QueryAnswerDto {
  @ApiProperty({ type: [String], description: 'The names of the columns.', example: ['event', 'count()'] })
  columns: string[];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: { type: 'string' } },
    description: 'The name and the type of each column.',
    example: [
      ['event', 'String'],
      ['count()', 'UInt64'],
    ],
  })
  types: string[][];

  @ApiProperty({
    type: 'array',
    items: { type: 'array', items: {} },
    description: 'The rows, with a value for each column. Moments are ISO 8601 in UTC.',
    example: [['$pageview', 120]],
  })
  results: unknown[][];

  @ApiProperty({ description: 'True if there are rows after these.', example: false })
  hasMore: boolean;

  @ApiProperty({ type: 'integer', example: 100 })
  limit: number;

  @ApiProperty({ type: 'integer', example: 0 })
  offset: number;

  @ApiProperty({
    format: 'date-time',
    description: 'The answer includes everything that was acknowledged up to this moment.',
    example: '2026-01-08T12:00:00.000Z',
  })
  as_of: string;

  @ApiProperty({ type: 'integer', example: 12 })
  elapsed_ms: number;

  @ApiProperty({ type: 'integer', description: 'Rows that the engine has read.', example: 4096 })
  rows_read: number;

  @ApiWarnings()
  warnings?: QuestionWarningDto[];
}
