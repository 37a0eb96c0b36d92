import { QueryParam } from './field-decorators.js';
import { field } from '../fields/field.js';
import { type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { type Request } from 'express';
import { originOf } from './origin.js';
import { invalidInput } from '../errors/problem.js';

export const maxLimit = 1000;
export const maxOffset = 2 ** 31 - 1;

export class PageQuery {
  @QueryParam(field.integer({ min: 1, max: maxLimit, fallback: 100, description: 'Records per page.' }))
  limit: number = 100;

  @QueryParam(field.integer({ min: 0, max: maxOffset, fallback: 0, description: 'Records to skip.' }))
  offset: number = 0;
}

export class CursorQuery extends PageQuery {
  @QueryParam(
    field.text({
      says: 'must be taken from a next or previous link',
      description: 'Taken from `next` or `previous` of another page; determines where the page begins.',
    }),
  )
  cursor?: string;
}

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

/** A position in a list: after or before the record with this key, even if records were added or removed meanwhile. */
export interface Cursor {
  readonly direction: 'after' | 'before';
  readonly key: readonly string[];
}

const marks = { a: 'after', b: 'before' } as const;

export const encodeCursor = ({ direction, key }: Cursor): string =>
  Buffer.from(JSON.stringify([direction === 'after' ? 'a' : 'b', ...key])).toString('base64url');

/** `isKey` recognises a key of this list; any other text was damaged on the way. */
export const decodeCursor = (text: string | undefined, isKey: (key: readonly string[]) => boolean): Cursor | null => {
  if (text === undefined) return null;
  const [mark, ...key] = partsOf(text);
  if ((mark !== 'a' && mark !== 'b') || !isKey(key)) {
    throw invalidInput('cursor is damaged: take it unchanged from a next or previous link', 'cursor');
  }
  return { direction: marks[mark], key };
};

const partsOf = (text: string): string[] => {
  try {
    const parts: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parts) && parts.every((part) => typeof part === 'string') ? parts : [];
  } catch {
    return [];
  }
};

/** A page read by keyset. `records` contains up to limit + 1 records in the direction of the walk. */
export interface KeysetSlice<T> {
  readonly count: number;
  readonly records: readonly T[];
}

export const cursorPageOf = <T, R>(
  request: Request,
  { limit, offset }: PageQuery,
  cursor: Cursor | null,
  { count, records }: KeysetSlice<T>,
  keyOf: (record: T) => readonly string[],
  toDto: (record: T) => R,
): Page<R> => {
  const backwards = cursor?.direction === 'before';
  const more = records.length > limit;
  const page = backwards ? records.slice(0, limit).reverse() : records.slice(0, limit);
  const [first, last] = [page[0], page.at(-1)];
  const hasNext = backwards || more;
  const hasPrevious = backwards ? more : offset > 0;
  const link = (direction: Cursor['direction'], record: T, at: number) =>
    linkTo(request, { limit, offset: Math.max(0, at), cursor: encodeCursor({ direction, key: keyOf(record) }) });
  return {
    count,
    next: hasNext && last !== undefined ? link('after', last, offset + limit) : null,
    previous: hasPrevious && first !== undefined ? link('before', first, offset - limit) : null,
    results: page.map(toDto),
  };
};
