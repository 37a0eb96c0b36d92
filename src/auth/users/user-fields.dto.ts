import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsDefined, IsOptional, IsString, Length, Matches } from 'class-validator';
import { emailFaults, emailLength, emailShape } from './email.js';

/** E-mail, names and passwords as all bodies take them. */
export const EmailField = (): PropertyDecorator =>
  applyDecorators(
    ApiProperty({ minLength: emailLength.min, maxLength: emailLength.max, example: 'grace@example.test' }),
    IsDefined(),
    IsString({ message: 'email must be text' }),
    Length(emailLength.min, emailLength.max, { message: `email ${emailFaults.length}` }),
    Matches(emailShape, { message: `email ${emailFaults.shape}` }),
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
