import { type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type Request } from 'express';
import { originOf } from './origin.js';
import { type PageQuery } from './page-query.dto.js';

export interface Page<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

/** The part of a list that a service returns. The controller adds the links, for which it needs the request. */
export interface Slice<T> {
  readonly count: number;
  readonly results: readonly T[];
}

/** `moreAt` returns further parameters for the link to the page at an offset. */
export const pageOf = <T>(
  request: Request,
  { limit, offset }: PageQuery,
  { count, results }: Slice<T>,
  moreAt: (offset: number) => Readonly<Record<string, string | number>> = () => ({}),
): Page<T> => {
  const link = (at: number): string => linkTo(request, { limit, offset: at, ...moreAt(at) });
  return {
    count,
    next: offset + limit < count ? link(offset + limit) : null,
    previous: offset > 0 ? link(Math.max(0, offset - limit)) : null,
    results,
  };
};

/** The URL of this request with some parameters replaced. */
export const linkTo = (request: Request, parameters: Readonly<Record<string, string | number>>): string => {
  const url = new URL(request.originalUrl, originOf(request));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url.href;
};

export const PageDto = <T>(item: Type<T>): Type<Page<T>> => {
  class ItemPage {
    @ApiProperty({ description: 'The exact number of records in all pages.', example: 1 })
    count: number;

    @ApiProperty({ type: String, format: 'uri', nullable: true, description: 'The next page.', example: null })
    next: string | null;

    @ApiProperty({ type: String, format: 'uri', nullable: true, description: 'The previous page.', example: null })
    previous: string | null;

    @ApiProperty({ type: [item] })
    results: T[];
  }
  Object.defineProperty(ItemPage, 'name', { value: `${item.name.replace(/Dto$/, '')}Page` });
  return ItemPage;
};
