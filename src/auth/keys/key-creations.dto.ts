import { ApiProperty } from '@nestjs/swagger';

export class MadeInvitationDto {
  @ApiProperty({ type: 'integer', example: 1 })
  project_id: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;
}

export class MadeMemberDto {
  @ApiProperty({ type: 'integer', example: 1 })
  project_id: number;

  @ApiProperty({ type: 'integer', example: 2 })
  user_id: number;
}

export class MadeUserDto {
  @ApiProperty({ type: 'integer', example: 2 })
  id: number;
}

export class MadeWebhookDto {
  @ApiProperty({ type: 'integer', example: 1 })
  project_id: number;

  @ApiProperty({ type: 'integer', example: 3 })
  id: number;
}

export class MadeBatchExportDto {
  @ApiProperty({ type: 'integer', example: 1 })
  project_id: number;

  @ApiProperty({ type: 'integer', example: 2 })
  id: number;
}

export class KeyCreationsDto {
  @ApiProperty({ type: [MadeInvitationDto], description: 'Open ones. They end when the key is revoked.' })
  invitations: MadeInvitationDto[];

  @ApiProperty({
    type: [MadeMemberDto],
    description: 'Members whose present role the key has given, also by an invitation that was accepted.',
  })
  members: MadeMemberDto[];

  @ApiProperty({ type: [MadeUserDto], description: 'Users that the key has made, or made owners of the installation.' })
  users: MadeUserDto[];

  @ApiProperty({
    type: [MadeWebhookDto],
    description: 'Webhooks that the key has made, or given their present address.',
  })
  webhooks: MadeWebhookDto[];

  @ApiProperty({
    type: [MadeBatchExportDto],
    description: 'Batch exports that the key has made, or given their present bucket.',
  })
  batch_exports: MadeBatchExportDto[];
}
