import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { projectRoles, type ProjectRole } from '../../kernel/access/roles.js';
import { scopes, type Scope } from '../../kernel/access/scopes.js';
import { organization } from '../../kernel/access/organization.js';
import { UserDto } from '../../kernel/access/user.dto.js';
import { type User } from './user.entity.js';

export class OwnProjectDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Web shop' })
  name: string;

  @ApiProperty({
    type: String,
    enum: [...projectRoles, 'owner', null],
    nullable: true,
    description: 'The role of the user; null where only a key opens the project.',
    example: 'member',
  })
  role: ProjectRole | 'owner' | null;

  @ApiProperty({
    enum: scopes,
    isArray: true,
    description: 'Every scope that the session or the key of this request has in the project.',
    example: ['person:read', 'cohort:read'],
  })
  scopes: Scope[];
}

export class OwnOrganizationDto {
  @ApiProperty({ format: 'uuid', example: organization.id })
  id: string;

  @ApiProperty({ example: organization.name })
  name: string;

  @ApiProperty({ example: organization.slug })
  slug: string;
}

export class OwnTeamDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ example: 'Web shop' })
  name: string;

  @ApiProperty({ example: 'UTC' })
  timezone: string;

  @ApiProperty({ format: 'uuid', example: organization.id })
  organization: string;
}

@ApiExtraModels(OwnTeamDto)
export class MeDto extends UserDto {
  @ApiProperty({ description: 'Whether the user owns the installation, and so may do everything.', example: false })
  is_owner: boolean;

  @ApiProperty({ description: 'Whether the user can sign in with a password.', example: true })
  has_password: boolean;

  @ApiProperty({ description: 'Whether the user can sign in by the provider of single sign-on.', example: false })
  has_single_sign_on: boolean;

  @ApiProperty({ type: [OwnProjectDto], description: 'The projects that the session or the key opens.' })
  projects: OwnProjectDto[];

  @ApiProperty({ type: OwnOrganizationDto, description: 'The installation.' })
  organization: OwnOrganizationDto;

  @ApiProperty({ type: [OwnOrganizationDto], description: 'The installation alone.' })
  organizations: OwnOrganizationDto[];

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(OwnTeamDto) }],
    nullable: true,
    description: 'The first of the projects, where clients of the reference product begin; null without a project.',
    example: null,
  })
  team: OwnTeamDto | null;
}

export const toUserDto = (user: User): UserDto => ({
  id: user.id,
  uuid: user.uuid,
  distinct_id: user.distinctId,
  first_name: user.firstName,
  last_name: user.lastName,
  email: user.email,
  is_email_verified: user.isEmailVerified,
  hedgehog_config: user.hedgehogConfig,
});
