import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';

export class MergedIntoDto {
  @ApiProperty({ type: 'integer', example: 41 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  uuid: string;
}

/** The only shape of error bodies. */
export class ProblemDto {
  @ApiProperty({
    enum: ['validation_error', 'authentication_error', 'invalid_request', 'throttled_error', 'server_error'],
    example: 'validation_error',
  })
  type: string;

  @ApiProperty({
    enum: [
      'required',
      'invalid_input',
      'parse_error',
      'not_authenticated',
      'authentication_failed',
      'permission_denied',
      'not_found',
      'merged',
      'method_not_allowed',
      'conflict',
      'too_large',
      'timeout',
      'unsupported_media_type',
      'throttled',
      'too_expensive',
      'unavailable',
      'error',
    ],
    example: 'invalid_input',
  })
  code: string;

  @ApiProperty({
    description: 'What is wrong and what would be valid.',
    example: 'limit must be an integer from 1 to 1000',
  })
  detail: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Path of the offending field, null when there is none.',
    example: 'limit',
  })
  attr: string | null;

  @ApiProperty({ example: 400 })
  status: number;

  @ApiProperty({ description: 'The X-Request-Id of this answer.', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  request_id: string;

  @ApiPropertyOptional({
    type: MergedIntoDto,
    description: 'With the code `merged`: the person into which the person of the id was merged.',
  })
  merged_into?: MergedIntoDto;

  @ApiPropertyOptional({
    type: [String],
    description: 'When a split does not say which ids leave: the distinct ids of the person, at most 1,000.',
    example: ['ada', '018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e'],
  })
  distinct_ids?: string[];

  @ApiPropertyOptional({
    type: 'integer',
    description: 'In a question in SQL: the line of the fault, from 1.',
    example: 1,
  })
  line?: number;

  @ApiPropertyOptional({ type: 'integer', description: 'The column of the fault in its line, from 1.', example: 8 })
  column?: number;
}

/** Documents a status that only some routes answer with. */
export const problemResponse = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
});
