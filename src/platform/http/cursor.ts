import { type Request } from 'express';
import { invalidInput } from '../errors/problem.js';
import { linkTo, type Page } from './page.js';
import { type PageQuery } from './page-query.dto.js';

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
