import { ApiProperty } from '@nestjs/swagger';

export class PersonDto {
  @ApiProperty({ type: 'integer', example: 41 })
  id: number;

  @ApiProperty({
    description: 'The first non-empty display property of the project, else a distinct id.',
    example: 'ada@example.test',
  })
  name: string;

  @ApiProperty({
    type: [String],
    description: 'Ids that do not look generated first; at most 1,000 in a single record, 100 in lists.',
    example: ['ada', '018f2a9e-7c1b-7d22-9a51-6a1d2f0c4b7e'],
  })
  distinct_ids: string[];

  @ApiProperty({ type: 'integer', description: 'The number of all distinct ids of the person.', example: 2 })
  distinct_id_count: number;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { email: 'ada@example.test', plan: 'pro' } })
  properties: object;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'uuid', example: '5b2c0f2e-0c0e-5d7e-9a68-2f6f7f0b1a11' })
  uuid: string;

  @ApiProperty({ description: 'Whether the person was ever identified as a known user.', example: true })
  is_identified: boolean;
}
