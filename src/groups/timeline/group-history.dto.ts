import { ApiProperty } from '@nestjs/swagger';

const anyValue = [
  { type: 'string', nullable: true },
  { type: 'number' },
  { type: 'boolean' },
  { type: 'array', items: {} },
  { type: 'object', additionalProperties: true },
];

export class GroupPropertyChangeDto {
  @ApiProperty({ example: 'plan' })
  key: string;

  @ApiProperty({ anyOf: anyValue, description: 'Null: the group had no such property.', example: 'free' })
  before: unknown;

  @ApiProperty({ anyOf: anyValue, description: 'Null: the property was removed.', example: 'pro' })
  after: unknown;
}

export class GroupChangeDto {
  @ApiProperty({ format: 'uuid', description: 'The event.', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  timestamp: string;

  @ApiProperty({
    format: 'date-time',
    description: 'Properties change in the order in which events are received.',
    example: '2026-01-02T10:00:00.120Z',
  })
  received_at: string;

  @ApiProperty({ type: [GroupPropertyChangeDto] })
  changes: GroupPropertyChangeDto[];
}
