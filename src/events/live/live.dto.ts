import { ApiProperty, PickType } from '@nestjs/swagger';
import { QueryParam } from '../../platform/http/field-decorators.js';
import { field, once } from '../../platform/fields/field.js';
import { EventsQuery } from '../log/event.dto.js';

export class LiveQuery extends PickType(EventsQuery, ['person_id', 'distinct_id', 'event'] as const) {
  @QueryParam(
    field.text({
      says: once,
      description:
        'The `id` of the last message that was received: the stream continues after it. Browsers send it as the header `Last-Event-ID`, which goes before this.',
      example: 'MTA0NToxMDQ1OiAgIDE3NjM4NTI0MDAwMDA',
    }),
  )
  cursor?: string;

  @QueryParam(
    field.integer({
      min: 1,
      max: 1_000_000,
      description: 'The stream ends after this many events; without it, when its time is over.',
      example: 10,
    }),
  )
  limit?: number;

  @QueryParam(
    field.integer({
      min: 1,
      max: 3600,
      description: 'The stream ends after this many seconds. Browsers connect again by themselves.',
      fallback: 3600,
    }),
  )
  max_seconds = 3600;
}

export class SkippedDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description:
      'How many events are not shown here: too many came at once, or the client read too slowly. Under a filter, events that were not compared with it count too. ' +
      'null when the stream was resumed after more than five minutes, and it is not known whether any is missing.',
    example: 950,
  })
  count: number | null;
}
