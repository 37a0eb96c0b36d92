import { ApiProperty } from '@nestjs/swagger';

export class UserDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ example: '8s0fKqZ1xWv3' })
  distinct_id: string;

  @ApiProperty({ example: 'Ada' })
  first_name: string;

  @ApiProperty({ example: 'Lovelace' })
  last_name: string;

  @ApiProperty({ example: 'ada@example.test' })
  email: string;

  @ApiProperty({ example: true })
  is_email_verified: boolean;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'Free-form.', example: {} })
  hedgehog_config: object;
}
