import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { projectRoles, type ProjectRole } from '../../kernel/access/roles.js';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { SessionDto } from '../sessions/session.dto.js';
import { emailField, nameField, newPasswordField } from '../users/user-fields.dto.js';

export class InvitationDto {
  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  id: string;

  @ApiProperty({ example: 'grace@example.test' })
  email: string;

  @ApiProperty({ enum: projectRoles, example: 'member' })
  role: ProjectRole;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-08T00:00:00.000Z' })
  expires_at: string;
}

export class NewInvitationDto extends InvitationDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The link to hand to the person, in the answer to the creation only.',
    example: 'https://kohort.example.test/#invitation=kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
  })
  link: string | null;
}

export class CreateInvitationBody {
  @BodyField(emailField)
  email: string;

  @BodyField(field.choice(projectRoles, { required: true, example: 'member' }))
  role: ProjectRole;
}

export class InvitationTokenBody {
  @BodyField(
    field.text({
      required: true,
      min: 1,
      max: 100,
      description: 'The part of the link after `#invitation=`.',
      example: 'kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
    }),
  )
  token: string;
}

export class AcceptInvitationBody extends InvitationTokenBody {
  @BodyField(newPasswordField)
  password?: string;

  @BodyField(nameField('Grace'))
  first_name?: string;

  @BodyField(nameField('Hopper'))
  last_name?: string;
}

export class InvitedProjectDto {
  @ApiProperty({ type: 'integer', example: 1 })
  id: number;

  @ApiProperty({ example: 'Web shop' })
  name: string;
}

export class InvitationPreviewDto {
  @ApiProperty({ example: 'grace@example.test' })
  email: string;

  @ApiProperty({
    anyOf: [{ $ref: '#/components/schemas/InvitedProjectDto' }, { type: 'null' }],
    description: 'Null for a link that sets the password of a user.',
    example: { id: 1, name: 'Web shop' },
  })
  project: InvitedProjectDto | null;

  @ApiProperty({ type: String, enum: [...projectRoles, null], nullable: true, example: 'member' })
  role: ProjectRole | null;

  @ApiProperty({
    enum: ['new_password', 'password'],
    description:
      '`new_password`: accept it with a new password. `password`: with the password of the user with this e-mail, or signed in as ' +
      'this user; when there is no such user yet, with a new password. The answer does not tell which.',
    example: 'password',
  })
  needs: 'new_password' | 'password';
}

export class AcceptedInvitationDto extends SessionDto {
  @ApiPropertyOptional({ type: 'integer', description: 'The project that the user is now a member of.', example: 1 })
  project_id?: number;
}
