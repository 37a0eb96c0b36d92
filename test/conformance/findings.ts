import { isObject, textOf, type JsonObject } from './json.js';

export interface Difference {
  readonly at: string;
  readonly expected: unknown;
  readonly got: unknown;
}

const exactly = 1e-6;

/** The findings of a case. A part of `expect` that no check reads is a difference, so that no case is checked only in part. */
export class Findings {
  readonly differences: Difference[] = [];
  private readonly expectations: Expectation[] = [];

  expectation(at: string, given: JsonObject): Expectation {
    const made = new Expectation(at, given);
    this.expectations.push(made);
    return made;
  }

  differ(at: string, expected: unknown, got: unknown): void {
    this.differences.push({ at, expected, got });
  }

  equal(at: string, expected: unknown, got: unknown, tolerance = exactly): void {
    if (!same(expected, got, tolerance)) this.differ(at, expected, got);
  }

  /** An expected null says nothing, of a list or of one of its items. */
  asserted(at: string, expected: unknown, got: unknown, tolerance = exactly): void {
    if (expected === null || expected === undefined) return;
    if (!Array.isArray(expected)) return this.equal(at, expected, got, tolerance);
    if (!Array.isArray(got) || got.length !== expected.length) return this.differ(at, expected, got);
    const items = got as readonly unknown[];
    const wrong = expected.some((item: unknown, n) => item !== null && !same(item, items[n], tolerance));
    if (wrong) this.differ(at, expected, got);
  }

  sameSet(at: string, expected: readonly unknown[], got: readonly unknown[]): void {
    if (!same(sorted(expected), sorted(got), exactly)) this.differ(at, sorted(expected), sorted(got));
  }

  contains(at: string, expected: readonly unknown[], got: readonly unknown[]): void {
    if (expected.some((item) => !got.includes(item))) this.differ(`${at} (at least)`, expected, got);
  }

  /** Every key that is expected, objects in objects included; what else there is does not matter. */
  includes(at: string, expected: JsonObject, got: unknown): void {
    if (!isObject(got)) return this.differ(at, expected, got);
    for (const [key, value] of Object.entries(expected)) {
      if (isObject(value)) this.includes(`${at}.${key}`, value, got[key]);
      else this.equal(`${at}.${key}`, value, got[key]);
    }
  }

  finish(): readonly Difference[] {
    for (const { at, unread } of this.expectations) {
      for (const key of unread()) this.differ(`${at}.${key}`, 'something the checker understands', 'an unknown key');
    }
    return this.differences;
  }
}

/** A part of `expect` that remembers which of its fields were read. */
export class Expectation {
  private readonly read = new Set<string>();

  constructor(
    readonly at: string,
    private readonly given: JsonObject,
  ) {}

  has(key: string): boolean {
    return key in this.given;
  }

  /** To see what kind it is of, without having checked it. */
  peek(key: string): unknown {
    return this.given[key];
  }

  take(key: string): unknown {
    this.read.add(key);
    return this.given[key];
  }

  readonly unread = (): readonly string[] => Object.keys(this.given).filter((key) => !this.read.has(key));
}

export const same = (a: unknown, b: unknown, tolerance = exactly): boolean => {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b) <= tolerance;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, n) => same(item, b[n] as unknown, tolerance));
  }
  if (isObject(a)) {
    if (!isObject(b)) return false;
    const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
    return [...keys].every((key) => same(a[key], b[key], tolerance));
  }
  return a === b;
};

const sorted = (list: readonly unknown[]): readonly unknown[] =>
  [...list].sort((a, b) => (textOf(a) < textOf(b) ? -1 : textOf(a) > textOf(b) ? 1 : 0));
