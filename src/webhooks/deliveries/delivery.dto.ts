import { ApiProperty } from '@nestjs/swagger';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { PageQuery } from '../../platform/http/page.dto.js';
import { field } from '../../platform/fields/field.js';
import { cohortChanged, webhookEvents } from '../definition/webhook-fields.js';
import { deliveryStatuses, type DeliveryStatus } from './webhook-delivery.entity.js';

export const deliveryTypes = [...webhookEvents, 'cohort.members', 'webhook.test'] as const;

export class DeliveriesQuery extends PageQuery {
  @QueryParam(field.choice(deliveryStatuses, { description: 'Only deliveries with this status.', example: 'waiting' }))
  status?: DeliveryStatus;

  @QueryParam(
    field.integer({ min: 1, max: 2 ** 31 - 1, description: 'Only deliveries about this cohort.', example: 3 }),
  )
  cohort?: number;
}

export class DeliveryDto {
  @ApiProperty({
    format: 'uuid',
    description: 'The `webhook-id` of the message, the same at each attempt: receivers recognise by it what they have.',
    example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e',
  })
  id: string;

  @ApiProperty({
    enum: deliveryTypes,
    description: '`cohort.members`: a page of members, for webhooks with the format of a receiver.',
    example: cohortChanged,
  })
  type: (typeof deliveryTypes)[number];

  @ApiProperty({ type: 'integer', nullable: true, description: 'Null for a test and for a notice.', example: 3 })
  cohort_id: number | null;

  @ApiProperty({
    type: 'integer',
    description: 'The number of changes or persons in the message, or of members in a page.',
    example: 12,
  })
  changes: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The place of a page of members, from 1.',
    example: null,
  })
  page: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The number of pages.', example: null })
  pages: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of `changes`, the persons who are sent or removed. Null for the format `standard` and for a test.',
    example: null,
  })
  sent: number | null;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Of `changes`, the persons without an identifier to send.',
    example: null,
  })
  skipped: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description:
      'After the changes of the message, for `GET cohorts/{id}/changes?after=`. Null for a test and for a notice.',
    example: 'YzoxMjA6MA',
  })
  cursor: string | null;

  @ApiProperty({
    enum: deliveryStatuses,
    description:
      '`waiting`: the receiver has not accepted it yet, and it is tried again. `delivered`: answered with a status from 200 to 299. ' +
      '`failed`: a test that was not accepted. `dropped`: not sent, because the webhook no longer names the cohort or the event, because ' +
      'the members are sent again or in smaller messages, or because there is nothing to tell about persons without an identifier.',
    example: 'delivered',
  })
  status: DeliveryStatus;

  @ApiProperty({ type: 'integer', example: 1 })
  attempts: number;

  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'The status of the last answer; null if there was none.',
    example: 200,
  })
  response_status: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    description: 'What was wrong with the last attempt. Nothing of the answer is kept but its status.',
    example: null,
  })
  error: string | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-31T12:00:00.000Z' })
  created_at: string;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-31T12:00:00.100Z' })
  last_attempt_at: string | null;

  @ApiProperty({
    type: String,
    format: 'date-time',
    nullable: true,
    description: 'The next attempt of a waiting delivery; null while the webhook is paused.',
    example: null,
  })
  next_attempt_at: string | null;
}
