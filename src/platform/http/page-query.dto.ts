import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { QueryParam } from './query-param.js';
import { integerParam } from '../fields/parameter.js';

export const maxLimit = 1000;
export const maxOffset = 2 ** 31 - 1;

export class PageQuery {
  @QueryParam(integerParam({ min: 1, max: maxLimit, fallback: 100, description: 'Records per page.' }))
  limit: number = 100;

  @QueryParam(integerParam({ min: 0, max: maxOffset, fallback: 0, description: 'Records to skip.' }))
  offset: number = 0;
}

export class CursorQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Taken from `next` or `previous` of another page; determines where the page begins.',
  })
  @IsOptional()
  @IsString({ message: 'cursor must be taken from a next or previous link' })
  cursor?: string;
}
