import { ApiProperty, PickType } from '@nestjs/swagger';
import { organization } from '../kernel/access/organization.js';
import { ProjectDto } from './project.dto.js';

class OrganizationProjectDto extends PickType(ProjectDto, [
  'id',
  'uuid',
  'name',
  'organization',
  'timezone',
] as const) {}

export class OrganizationDto {
  @ApiProperty({ format: 'uuid', description: 'The same in every installation.', example: organization.id })
  id: string;

  @ApiProperty({ example: organization.name })
  name: string;

  @ApiProperty({ example: organization.slug })
  slug: string;

  @ApiProperty({ type: [OrganizationProjectDto], description: 'The projects that the session or the key opens.' })
  projects: OrganizationProjectDto[];

  @ApiProperty({ type: [OrganizationProjectDto], description: 'The same as `projects`.' })
  teams: OrganizationProjectDto[];

  @ApiProperty({
    description: 'The installation has an SMTP server (`SMTP_URL`), so that users can get e-mails of alerts.',
    example: true,
  })
  email_service_available: boolean;
}

export const toOrganizationDto = (
  opened: readonly ProjectDto[],
  { email_service_available }: Pick<OrganizationDto, 'email_service_available'>,
): OrganizationDto => {
  const projects = opened.map(({ id, uuid, name, timezone }) => ({
    ...{ id, uuid, name, timezone },
    organization: organization.id,
  }));
  return { ...organization, projects, teams: projects, email_service_available };
};
