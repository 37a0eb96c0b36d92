import { Problem } from '../../../src/platform/errors/problem.js';
import { QueryFault } from '../../../src/sql/fault.js';

/** A parser, and what must hold for whatever bytes it gets. */
export interface ParserTarget {
  /** Longer inputs find nothing that shorter ones do not, and take longer. */
  readonly maxBytes: number;
  /** Words of the language, which random bytes would hardly ever spell; each character is a byte. */
  readonly words: readonly string[];
  /** Throws if the parser does not do what it promises. */
  readonly run: (input: Buffer) => void | Promise<void>;
}

/** What a parser may throw: each becomes an answer of 4xx that names what is wrong. */
const isDocumented = (error: unknown): boolean =>
  (error instanceof Problem && error.status >= 400 && error.status < 500) || error instanceof QueryFault;

/** The result of a parser, or null when it refuses its input in a documented way. */
export const acceptedBy = <T>(parse: () => T): T | null => {
  try {
    return parse();
  } catch (error) {
    if (isDocumented(error)) return null;
    throw error;
  }
};

export const acceptedLater = async <T>(parse: () => Promise<T>): Promise<T | null> => {
  try {
    return await parse();
  } catch (error) {
    if (isDocumented(error)) return null;
    throw error;
  }
};

export class BrokenPromise extends Error {
  override readonly name = 'BrokenPromise';
}

export const demand = (holds: boolean, promise: string): void => {
  if (!holds) throw new BrokenPromise(promise);
};

export const assertEqual = (found: unknown, expected: unknown, promise: string): void => {
  const [left, right] = [JSON.stringify(found), JSON.stringify(expected)];
  if (left !== right) throw new BrokenPromise(`${promise}: ${left} is not ${right}`);
};
