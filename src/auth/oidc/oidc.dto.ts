import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';

export class SignOnQuery {
  @ApiPropertyOptional({
    maxLength: 2000,
    description: 'The page of the console to open after signing in.',
    example: '/p/1/live',
  })
  @IsOptional()
  @IsString({ message: 'return_to must be text' })
  return_to?: string;
}
