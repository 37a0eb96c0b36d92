import { ApiProperty } from '@nestjs/swagger';

const codes = ['PARSE_ERROR', 'TARGETING_KEY_MISSING', 'INVALID_CONTEXT', 'FLAG_NOT_FOUND', 'GENERAL'] as const;
const reasons = ['STATIC', 'TARGETING_MATCH', 'SPLIT', 'DISABLED', 'DEFAULT'] as const;

export type OfrepErrorCode = (typeof codes)[number];
export type OfrepReason = (typeof reasons)[number];

export class OfrepFlagDto {
  @ApiProperty({ example: 'new-checkout' })
  key: string;

  @ApiProperty({
    oneOf: [{ type: 'boolean' }, { type: 'string' }],
    description: 'The variant; true or false for a flag without variants, and false for one that is off.',
    example: true,
  })
  value: boolean | string;

  @ApiProperty({ enum: reasons, example: 'TARGETING_MATCH' })
  reason: OfrepReason;

  @ApiProperty({ description: 'The variant, or `on` or `off`.', example: 'on' })
  variant: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: { oneOf: [{ type: 'string' }, { type: 'number' }] },
    description:
      '`version` of the flag, `reason` in words, `payload` as JSON text, and for each cohort that the conditions name `cohort_<id>`, the version of its members.',
    example: { version: 3, reason: 'Condition 1 holds', cohort_3: 12 },
  })
  metadata: Record<string, string | number>;
}

export class OfrepFlagsDto {
  @ApiProperty({ type: [OfrepFlagDto] })
  flags: OfrepFlagDto[];
}

export class OfrepFailureDto {
  @ApiProperty({ required: false, example: 'new-checkout' })
  key?: string;

  @ApiProperty({ enum: codes, example: 'FLAG_NOT_FOUND' })
  errorCode: OfrepErrorCode;

  @ApiProperty({ example: 'there is no flag new-checkout' })
  errorDetails: string;
}
