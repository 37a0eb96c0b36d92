import { type Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** The names that a DTO declares: validation drops or refuses all others. */
export const fieldNamesOf = (dto: Type<unknown>): readonly string[] => [
  ...new Set(
    getMetadataStorage()
      .getTargetValidationMetadatas(dto, '', false, false)
      .map(({ propertyName }) => propertyName),
  ),
];
