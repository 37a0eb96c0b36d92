import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ProblemDto } from '../../platform/errors/problem.dto.js';

export class RejectionDto {
  @ApiProperty({ type: 'integer', description: 'Position in the request, from 0.', example: 1 })
  index: number;

  @ApiProperty({ type: String, nullable: true, example: null })
  uuid: string | null;

  @ApiProperty({ enum: ['required', 'invalid_input', 'too_large'], example: 'required' })
  code: string;

  @ApiProperty({ example: 'distinct_id is required' })
  detail: string;
}

export class CaptureWarningDto {
  @ApiProperty({ type: 'integer', description: 'Position in the request, from 0.', example: 0 })
  index: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ example: 'ignored_invalid_timestamp' })
  type: string;

  @ApiProperty({ example: 'timestamp is not a time in the years 1900 to 2299; the current time is used' })
  detail: string;
}

export class CaptureReplyDto {
  @ApiProperty({ type: 'integer', enum: [1], example: 1 })
  status: 1;

  @ApiProperty({ type: 'integer', description: 'Events that are new in the log.', example: 2 })
  accepted: number;

  @ApiProperty({ type: 'integer', description: 'Events whose uuid was already in the log.', example: 0 })
  duplicates: number;

  @ApiProperty({ type: [RejectionDto], description: 'Rejected events with their reasons.', example: [] })
  rejected: RejectionDto[];

  @ApiProperty({
    type: [CaptureWarningDto],
    required: false,
    description:
      'The first parts of accepted events that were read differently from how they were written; absent when there are none. ' +
      '`GET ingestion_warnings` lists them too.',
    example: [],
  })
  warnings?: CaptureWarningDto[];
}

export class ResultDto {
  @ApiProperty({ enum: ['ok', 'drop'], example: 'ok' })
  result: 'ok' | 'drop';

  @ApiProperty({ required: false, description: 'The reason why the event was rejected.', example: 'event is missing' })
  details?: string;
}

@ApiExtraModels(ResultDto)
export class CaptureResultsDto extends CaptureReplyDto {
  @ApiProperty({
    type: 'object',
    additionalProperties: { $ref: getSchemaPath(ResultDto) },
    description: 'The result of every event, by its uuid.',
    example: { '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e': { result: 'ok' } },
  })
  results: Record<string, ResultDto>;
}

/** The common shape of errors. When every event was rejected, it also lists the rejections. */
export class CaptureProblemDto extends ProblemDto {
  @ApiProperty({ type: 'integer', required: false, example: 0 })
  accepted?: number;

  @ApiProperty({ type: 'integer', required: false, example: 0 })
  duplicates?: number;

  @ApiProperty({ type: [RejectionDto], required: false, example: [] })
  rejected?: RejectionDto[];
}
