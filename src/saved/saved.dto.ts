import { ApiProperty, ApiPropertyOptional, getSchemaPath } from '@nestjs/swagger';
import { IsBoolean, IsDefined, IsOptional, IsString, Length, MaxLength, NotContains } from 'class-validator';
import { UserDto } from '../kernel/access/user.dto.js';
import { QueryParam } from '../platform/http/query-param.js';
import { booleanParam } from '../platform/fields/parameter.js';
import { PageQuery } from '../platform/http/page-query.dto.js';

/** The fields that insights and dashboards share, as a caller sends them. */
export class SavedBody {
  @ApiProperty({ minLength: 1, maxLength: 400, example: 'Weekly active persons' })
  @IsDefined()
  @IsString({ message: 'name must be text' })
  @Length(1, 400, { message: 'name must have 1 to 400 characters' })
  @NotContains('\0', { message: 'name must not contain NUL characters' })
  name: string;

  @ApiPropertyOptional({ type: String, maxLength: 1000, nullable: true, example: '' })
  @IsOptional()
  @IsString({ message: 'description must be text' })
  @MaxLength(1000, { message: 'description must have at most 1000 characters' })
  @NotContains('\0', { message: 'description must not contain NUL characters' })
  description?: string | null;

  @ApiPropertyOptional({
    type: Boolean,
    nullable: true,
    description: 'Whether the user of the key has marked it. Each user has marks of their own.',
    example: false,
  })
  @IsOptional()
  @IsBoolean({ message: 'favourite must be true or false' })
  favourite?: boolean | null;
}

export class SavedDto {
  @ApiProperty({ type: 'integer', example: 3 })
  id: number;

  @ApiProperty({ example: 'Weekly active persons' })
  name: string;

  @ApiProperty({ example: '' })
  description: string;

  @ApiProperty({ description: 'Whether the user of the key has marked it.', example: false })
  favourite: boolean;

  @ApiProperty({
    allOf: [{ $ref: getSchemaPath(UserDto) }],
    nullable: true,
    description: 'The user of the key that made it.',
    example: null,
  })
  created_by: UserDto | null;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  created_at: string;

  @ApiProperty({ format: 'date-time', example: '2026-01-02T10:00:00.000Z' })
  updated_at: string;
}

export class SavedQuery extends PageQuery {
  @ApiPropertyOptional({ description: 'Only those whose name contains this text, in any case.', example: 'active' })
  @IsOptional()
  @IsString({ message: 'search must be given once' })
  search?: string;

  @QueryParam(
    booleanParam({
      description: 'Only those that the user of the key has marked; `false`: the others.',
      example: true,
    }),
  )
  favourite?: boolean;
}
