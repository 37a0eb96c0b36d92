import { ApiProperty } from '@nestjs/swagger';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';
import { emailField, nameField, newPasswordField, passwordField } from '../users/user-fields.dto.js';
import { MeDto } from '../users/me.dto.js';

export class AccountDto {
  @ApiProperty({ type: 'integer', example: 2 })
  id: number;

  @ApiProperty({ format: 'uuid', example: '0199f5a2-6f0e-7c1b-9a51-6a1d2f0c4b7e' })
  uuid: string;

  @ApiProperty({ example: 'Grace' })
  first_name: string;

  @ApiProperty({ example: 'Hopper' })
  last_name: string;

  @ApiProperty({ example: 'grace@example.test' })
  email: string;

  @ApiProperty({ description: 'Whether the user owns the installation, and so may do everything.', example: false })
  is_owner: boolean;

  @ApiProperty({ description: 'Whether the user can sign in with a password.', example: true })
  has_password: boolean;

  @ApiProperty({ type: 'integer', description: 'The number of projects with a role for the user.', example: 1 })
  project_count: number;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  created_at: string;
}

export class PasswordLinkDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The link by which the user sets a password: it works once, and only this answer contains it.',
    example: 'https://kohort.example.test/#invitation=kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
  })
  link: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-08T00:00:00.000Z' })
  link_expires_at: string | null;
}

export class NewAccountDto extends AccountDto implements PasswordLinkDto {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'The link by which the user sets a password: it works once, and only this answer contains it.',
    example: 'https://kohort.example.test/#invitation=kq3vXo2mYbX0m3i9yQZ8mC1r7yH2dJwq5uN4sT6aB8E',
  })
  link: string | null;

  @ApiProperty({ type: String, format: 'date-time', nullable: true, example: '2026-01-08T00:00:00.000Z' })
  link_expires_at: string | null;
}

const isOwner = field.jsonBoolean({ description: 'Makes the user an owner of the installation.', example: false });

export class CreateAccountBody {
  @BodyField(emailField)
  email: string;

  @BodyField(nameField('Grace'))
  first_name?: string;

  @BodyField(nameField('Hopper'))
  last_name?: string;

  @BodyField(isOwner)
  is_owner?: boolean;
}

@SentBackAs(AccountDto, ['project_count'])
export class UpdateAccountBody {
  @BodyField(nameField('Grace'))
  first_name?: string;

  @BodyField(nameField('Hopper'))
  last_name?: string;

  @BodyField(isOwner)
  is_owner?: boolean;
}

@SentBackAs(MeDto, ['projects'])
export class UpdateMeBody {
  @BodyField(nameField('Ada'))
  first_name?: string;

  @BodyField(nameField('Lovelace'))
  last_name?: string;

  @BodyField(newPasswordField)
  password?: string;

  @BodyField(passwordField('Required with `password` by a user who has one.'))
  current_password?: string;
}
