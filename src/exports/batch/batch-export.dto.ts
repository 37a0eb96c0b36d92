import { ApiExtraModels, ApiProperty, getSchemaPath, PartialType } from '@nestjs/swagger';
import { UserDto } from '../../kernel/access/user.dto.js';
import { field } from '../../platform/fields/field.js';
import { asProperty } from '../../platform/fields/schema.js';
import { DeletedField, DeletedProperty } from '../../platform/http/deleted-field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { type BatchModel, type RunStatus } from './batch-export.entity.js';
import { destinationSchema, exampleDestination } from './bucket-config.js';
import { batchIntervals, type BatchInterval } from './periods.js';

export const batchModels = ['events', 'persons', 'cohort'] as const satisfies readonly BatchModel[];
export const runStatuses = ['Running', 'Completed', 'Failed'] as const satisfies readonly RunStatus[];

export class CreateBatchExportBody {
  @BodyField(field.text({ required: true, min: 1, max: 400, withoutNul: true, example: 'Warehouse' }))
  name: string;

  @BodyField(
    field.choice(batchModels, {
      fallback: 'events',
      description:
        '`events`: those that arrived in the period, and the late ones apart. `persons`: all persons. `cohort`: the members of `cohort_id`. It cannot be changed.',
      example: 'events',
    }),
  )
  model?: BatchModel;

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: 2 ** 31 - 1,
      nullable: true,
      description: 'For the model `cohort`: a cohort of persons. It cannot be changed.',
      example: null,
    }),
  )
  cohort_id?: number | null;

  @BodyField(
    field.choice(batchIntervals, {
      fallback: 'hour',
      description: 'How long a period is: hours and days in UTC. It cannot be changed.',
      example: 'hour',
    }),
  )
  interval?: BatchInterval;

  @BodyField(
    field.any({
      required: true,
      schema: destinationSchema,
      description:
        'The bucket, and the key that may write objects in it. `endpoint_url` names another service than Amazon S3. No answer has the secret.',
      example: {
        ...exampleDestination,
        config: { ...exampleDestination.config, aws_secret_access_key: 'wJalrXUtnFEMI' },
      },
    }),
  )
  destination: unknown;

  @BodyField(field.jsonBoolean({ fallback: false, description: 'True: nothing is written.', example: false }))
  paused?: boolean;
}

@ApiExtraModels(UserDto)
export class BatchExportDto {
  @ApiProperty({ type: 'integer', example: 2 })
  id: number;

  @ApiProperty({ example: 'Warehouse' })
  name: string;

  @ApiProperty({ enum: batchModels, example: 'events' })
  model: BatchModel;

  @ApiProperty({ type: 'integer', nullable: true, example: null })
  cohort_id: number | null;

  @ApiProperty({ enum: batchIntervals, example: 'hour' })
  interval: BatchInterval;

  @ApiProperty(asProperty(destinationSchema, { description: 'Without the secret.', example: exampleDestination }))
  destination: object;

  @ApiProperty({ example: false })
  paused: boolean;

  @ApiProperty({ type: String, nullable: true, description: 'Why the service has paused it.', example: null })
  paused_reason: string | null;

  @ApiProperty({
    format: 'date-time',
    description: 'The first moment of the next period that is written.',
    example: '2026-01-08T10:00:00.000Z',
  })
  next_start: string;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'When it is written, or tried again. Null while it is paused.',
    example: '2026-01-08T11:01:00.000Z',
  })
  next_run_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'Since when attempts fail.',
    example: null,
  })
  failing_since: string | null;

  @ApiProperty({ allOf: [{ $ref: getSchemaPath(UserDto) }], nullable: true, example: null })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  updated_at: string;

  @DeletedProperty()
  deleted: boolean;
}

@SentBackAs(BatchExportDto, ['paused_reason', 'next_start', 'next_run_at', 'failing_since', 'updated_at'])
export class UpdateBatchExportBody extends PartialType(CreateBatchExportBody) {
  @DeletedField()
  deleted?: boolean | null;
}

export class BatchExportRunDto {
  @ApiProperty({ format: 'date-time', example: '2026-01-08T10:00:00.000Z' })
  period_start: string;

  @ApiProperty({ format: 'date-time', description: 'The first moment after it.', example: '2026-01-08T11:00:00.000Z' })
  period_end: string;

  @ApiProperty({ enum: runStatuses, description: '`Failed` is tried again.', example: 'Completed' })
  status: RunStatus;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The manifest in the bucket, which is written last: all files that it names are complete.',
    example: 'kohort/events/_manifests/dt=2026-01-08/hour=10.json',
  })
  manifest: string | null;

  @ApiProperty({ type: 'integer', example: 2 })
  files: number;

  @ApiProperty({ type: 'integer', description: 'Events, or persons.', example: 1200 })
  records: number;

  @ApiProperty({ type: 'integer', example: 81_920 })
  bytes: number;

  @ApiProperty({ type: 'integer', example: 1 })
  attempts: number;

  @ApiProperty({ type: String, nullable: true, description: 'Why the last attempt failed.', example: null })
  error: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T11:01:00.000Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-08T11:01:02.000Z' })
  finished_at: string | null;
}
