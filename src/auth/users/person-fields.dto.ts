import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional, IsString, Length, Matches } from 'class-validator';

const emailShape = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** E-mail, names and passwords as all bodies take them. */
export const EmailField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: 3, maxLength: 320, example: 'grace@example.test' }),
    IsDefined(),
    IsString({ message: 'email must be text' }),
    Length(3, 320, { message: 'email must have 3 to 320 characters' }),
    Matches(emailShape, { message: 'email must be an e-mail address such as grace@example.test' }),
  );

export const NameField = (name: 'first_name' | 'last_name', example: string): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({ maxLength: 100, example }),
    IsOptional(),
    IsString({ message: `${name} must be text` }),
    Length(0, 100, { message: `${name} must have at most 100 characters` }),
  );

/** Long enough that guessing is hopeless, with no rules about kinds of characters. */
export const NewPasswordField = (): PropertyDecorator =>
  applyDecorators(
    ApiPropertyOptional({
      format: 'password',
      minLength: 12,
      maxLength: 1024,
      example: 'correct horse battery staple',
    }),
    IsOptional(),
    IsString({ message: 'password must be text' }),
    Length(12, 1024, { message: 'password must have 12 to 1024 characters' }),
  );
