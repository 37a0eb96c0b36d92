import { ApiProperty } from '@nestjs/swagger';
import { maxGroupTypes } from '../kernel/projection/named-groups.js';
import { field } from '../platform/fields/field.js';

export const maxTypeIndex = maxGroupTypes - 1;

const typeIndex = { min: 0, max: maxTypeIndex, description: 'The index of the type of group.', example: 0 } as const;

/** The parameter by which a request names a type of groups. */
export const typeIndexField = field.integer({ ...typeIndex, required: true });

export const optionalTypeIndexField = field.integer({
  ...typeIndex,
  description: 'The index of the type of group. A project with one type may leave it out.',
});

export class GroupDto {
  @ApiProperty({ type: 'integer', description: 'For addresses; events name the group by its key.', example: 3 })
  id: number;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: maxTypeIndex, example: 0 })
  group_type_index: number;

  @ApiProperty({ description: 'The key by which events name the group.', example: 'acme' })
  group_key: string;

  @ApiProperty({ description: 'The property `name`, else the key.', example: 'Acme' })
  name: string;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { name: 'Acme', plan: 'pro' } })
  group_properties: object;

  @ApiProperty({
    format: 'date-time',
    description: 'The time of the first event that named the group.',
    example: '2026-01-02T10:00:00.000Z',
  })
  created_at: string;
}
