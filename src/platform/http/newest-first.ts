import { type Cursor } from './page.dto.js';

/** A position in a list, newest first: the moment in microseconds since 1970, the precision of PostgreSQL, and the id. */
export interface KeysetPosition {
  readonly micros: string;
  readonly id: string;
}

/** The year 20000: PostgreSQL would round later moments. */
const latestMicros = 569_000_000_000_000_000n;

export const isKeysetPosition = ([micros = '', id = '', ...more]: readonly string[]): boolean =>
  more.length === 0 &&
  /^-?\d{1,18}$/.test(micros) &&
  /^\d{1,15}$/.test(id) &&
  BigInt(micros) <= latestMicros &&
  BigInt(micros) >= -latestMicros;

export interface PageRequest {
  readonly limit: number;
  readonly offset: number;
  readonly cursor: Cursor | null;
}
