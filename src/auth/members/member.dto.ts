import { ApiProperty } from '@nestjs/swagger';
import { projectRoles, type ProjectRole } from '../../kernel/access/roles.js';
import { field } from '../../platform/fields/field.js';
import { BodyField } from '../../platform/http/field-decorators.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';

export class MemberUserDto {
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
}

export class MemberDto {
  @ApiProperty({ type: MemberUserDto })
  user: MemberUserDto;

  @ApiProperty({ enum: projectRoles, example: 'member' })
  role: ProjectRole;

  @ApiProperty({ format: 'date-time', example: '2026-01-01T00:00:00.000Z' })
  joined_at: string;
}

export class CreateMemberBody {
  @BodyField(
    field.text({
      min: 1,
      max: 320,
      description: 'The e-mail of a user of the installation.',
      example: 'grace@example.test',
    }),
  )
  email?: string;

  @BodyField(
    field.jsonInteger({
      min: 1,
      max: 2 ** 31 - 1,
      says: 'must be the id of a user',
      description: 'Instead of the e-mail.',
      example: 2,
    }),
  )
  user_id?: number;

  @BodyField(field.choice(projectRoles, { required: true, example: 'member' }))
  role: ProjectRole;
}

@SentBackAs(MemberDto)
export class UpdateMemberBody {
  @BodyField(field.choice(projectRoles, { example: 'admin' }))
  role?: ProjectRole;
}
