import { ApiExtraModels, ApiProperty, ApiPropertyOptional, getSchemaPath, PartialType } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  IsArray,
  IsBoolean,
  IsDefined,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateBy,
} from 'class-validator';
import { UserDto } from '../kernel/access/user.dto.js';
import { changeKinds, type ChangeKind } from '../cohorts/changes/changes.dto.js';
import { SentBackAs } from '../platform/http/read-only-fields.js';
import { allCohorts, cohortsSchema, maxBatchSize, maxCohorts } from './definition/webhook-fields.js';
import { maxUrlLength } from './sending/webhook-url.js';

export class CreateWebhookBody {
  @ApiProperty({
    maxLength: maxUrlLength,
    description:
      'Where messages are sent, by POST. Addresses that are not public are refused unless the installation allows them.',
    example: 'https://crm.example.test/kohort',
  })
  @IsDefined()
  @IsString({ message: 'url must be text' })
  @MaxLength(maxUrlLength, { message: `url must have at most ${maxUrlLength} characters` })
  url: string;

  @ApiPropertyOptional({
    ...cohortsSchema,
    default: allCohorts,
    description: `The cohorts whose changes are sent, at most ${maxCohorts}; \`*\`, the default, for all, also those that are made later.`,
    example: [3],
  })
  @IsOptional()
  cohorts?: number[] | '*';

  @ApiPropertyOptional({
    type: 'array',
    items: { type: 'string', enum: [...changeKinds] },
    minItems: 1,
    uniqueItems: true,
    default: [...changeKinds],
    description: 'Which changes are sent.',
    example: ['entered', 'left'],
  })
  @IsOptional()
  @IsArray({ message: 'kinds must be a list' })
  @ArrayNotEmpty({ message: `kinds must name at least one of ${changeKinds.join(', ')}` })
  // ArrayUnique compares each element with each.
  @ValidateBy({
    name: 'eachOnce',
    validator: {
      validate: (kinds) => !Array.isArray(kinds) || new Set(kinds).size === kinds.length,
      defaultMessage: () => 'kinds must name each kind once',
    },
  })
  @IsIn(changeKinds, { each: true, message: `kinds must each be one of ${changeKinds.join(', ')}` })
  kinds?: ChangeKind[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: maxBatchSize,
    default: 100,
    description: 'The largest number of changes in one message.',
    example: 100,
  })
  @IsOptional()
  @IsInt({ message: `batch_size must be an integer from 1 to ${maxBatchSize}` })
  @Min(1, { message: `batch_size must be an integer from 1 to ${maxBatchSize}` })
  @Max(maxBatchSize, { message: `batch_size must be an integer from 1 to ${maxBatchSize}` })
  batch_size?: number;

  @ApiPropertyOptional({
    type: Boolean,
    default: false,
    description: 'A paused webhook sends nothing. When it is resumed, it sends what has changed meanwhile.',
    example: false,
  })
  @IsOptional()
  @IsBoolean({ message: 'paused must be true or false' })
  paused?: boolean;
}

@ApiExtraModels(UserDto)
export class WebhookDto {
  @ApiProperty({ type: 'integer', example: 4 })
  id: number;

  @ApiProperty({ example: 'https://crm.example.test/kohort' })
  url: string;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The secret that signs messages, in the answer to the creation only.',
    example: null,
  })
  secret: string | null;

  @ApiProperty({ ...cohortsSchema, example: [3] })
  cohorts: number[] | '*';

  @ApiProperty({ type: 'array', items: { type: 'string', enum: [...changeKinds] }, example: ['entered', 'left'] })
  kinds: ChangeKind[];

  @ApiProperty({ type: 'integer', example: 100 })
  batch_size: number;

  @ApiProperty({ example: false })
  paused: boolean;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: null })
  paused_at: string | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Why the service has paused the webhook; null if a user has.',
    example: null,
  })
  paused_reason: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The first failure of the oldest message that the receiver has not accepted yet.',
    example: null,
  })
  failing_since: string | null;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(UserDto) }], nullable: true, example: null })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;
}

@SentBackAs(WebhookDto, ['paused_at', 'paused_reason', 'failing_since'])
export class UpdateWebhookBody extends PartialType(CreateWebhookBody) {}
