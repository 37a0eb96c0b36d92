import { ApiProperty } from '@nestjs/swagger';
import { plainFilters } from '../../filters/reading/filter-fields.js';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { isUuid } from '../../platform/values/ids.js';
import { ExpiredNameDto } from '../expiry/expiry.dto.js';

const most = { names: 100, keys: 100, uuids: 1000 } as const;

const texts = (what: string, max: number, description: string, example: string) =>
  field.list(field.text({ min: 1, max: 400, withoutNul: true }), {
    min: 1,
    max,
    says: `must be a list of 1 to ${max} ${what}`,
    entries: `must be a list of 1 to ${max} ${what}, each a text of 1 to 400 characters`,
    description,
    example: [example],
  });

const moment = (description: string, example: string) =>
  field.text({
    max: 100,
    nullable: true,
    description: `${description} ISO date, in the project’s time zone when it names none, or relative to the preview such as \`-7d\`.`,
    example,
  });

export class RequestDeletionBody {
  @BodyField(texts('names of events', most.names, 'Events with any of these names.', 'order paid'))
  events?: string[];

  @BodyField(
    field.list(field.text({ format: 'uuid', rules: [{ holds: isUuid, says: 'must be a list of uuids' }] }), {
      min: 1,
      max: most.uuids,
      says: `must be a list of 1 to ${most.uuids} uuids`,
      description: 'Events with any of these uuids.',
      example: ['0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e'],
    }),
  )
  uuids?: string[];

  @BodyField(moment('Events later than this.', '2026-01-01T00:00:00Z'))
  after?: string | null;

  @BodyField(moment('Events earlier than this.', '2026-02-01T00:00:00Z'))
  before?: string | null;

  @BodyField(
    field.any({
      schema: plainFilters,
      description: 'Filters as in `GET events`: a list, all of which must hold, or a group.',
      example: [{ type: 'event', key: 'plan', operator: 'exact', value: ['pro'] }],
    }),
  )
  properties?: unknown;

  @BodyField(
    texts(
      'keys of properties',
      most.keys,
      'Removes only these properties of the events, also from `$set`, `$set_once`, `$group_set` and `$group_set_once`. ' +
        'Counts the events that have one of them.',
      'email',
    ),
  )
  scrub?: string[];

  @BodyField(
    field.text({
      max: 200,
      nullable: true,
      description: 'The token of a preview of the same request; without it, nothing is deleted.',
      example: 'lxk3v2ab.2s.q0N5b3V0',
    }),
  )
  confirm?: string | null;
}

export class DeletionPreviewDto {
  @ApiProperty({
    type: 'integer',
    description: 'The number of events that the request concerns: `GET events` with the same filters lists them.',
    example: 1200,
  })
  events: number;

  @ApiProperty({
    type: 'integer',
    description: 'The number of persons, and distinct ids without a person, that have such events.',
    example: 41,
  })
  persons: number;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-01T10:00:00.000Z' })
  first_timestamp: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-31T10:00:00.000Z' })
  last_timestamp: string | null;

  @ApiProperty({ type: [ExpiredNameDto], description: 'By name, at most 100 names, most frequent first.' })
  by_name: ExpiredNameDto[];

  @ApiProperty({
    format: 'date-time',
    description: 'Events received after this moment stay.',
    example: '2026-02-02T10:00:00.000Z',
  })
  up_to: string;

  @ApiProperty({
    description: 'Send the same request again with this token as `confirm`.',
    example: 'lxk3v2ab.2s.q0N5b3V0',
  })
  confirm: string;

  @ApiProperty({
    format: 'date-time',
    description: 'The moment after which the token is refused.',
    example: '2026-02-02T10:10:00.000Z',
  })
  confirm_until: string;
}
