import { ApiProperty, getSchemaPath } from '@nestjs/swagger';

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
}

/** Documents a status that only some routes answer with. */
export const problemResponse = (description: string) => ({
  description,
  content: { 'application/problem+json': { schema: { $ref: getSchemaPath(ProblemDto) } } },
});
