import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsIn, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';
import { projectRoles, type ProjectRole } from '../../kernel/access/roles.js';
import { SentBackAs } from '../../platform/http/read-only-fields.js';

const roleRule = { message: `role must be one of ${projectRoles.join(', ')}` };

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
  @ApiPropertyOptional({ description: 'The e-mail of a user of the installation.', example: 'grace@example.test' })
  @IsOptional()
  @IsString({ message: 'email must be text' })
  @Length(1, 320, { message: 'email must have 1 to 320 characters' })
  email?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 2 ** 31 - 1,
    description: 'Instead of the e-mail.',
    example: 2,
  })
  @IsOptional()
  @IsInt({ message: 'user_id must be the id of a user' })
  @Min(1, { message: 'user_id must be the id of a user' })
  @Max(2 ** 31 - 1, { message: 'user_id must be the id of a user' })
  user_id?: number;

  @ApiProperty({ enum: projectRoles, example: 'member' })
  @IsDefined()
  @IsIn(projectRoles, roleRule)
  role: ProjectRole;
}

@SentBackAs(MemberDto)
export class UpdateMemberBody {
  @ApiPropertyOptional({ enum: projectRoles, example: 'admin' })
  @IsOptional()
  @IsIn(projectRoles, roleRule)
  role?: ProjectRole;
}
