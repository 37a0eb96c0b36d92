import { readFileSync } from 'node:fs';
import { type Case } from './case.js';
import { type Difference } from './findings.js';
import { type Run } from './run-case.js';

/** A skipped case says what our contract does not know; it fails the run as a failed one does. */
export type Verdict = 'passed' | 'failed' | 'deviation' | 'skipped';

export interface Outcome {
  readonly family: string;
  readonly name: string;
  readonly verdict: Verdict;
  /** Why it failed, or why it may. */
  readonly lines: readonly string[];
}

/** `family/case` to the reason why our contract wants another answer. */
export type Deviations = Readonly<Record<string, string>>;

export const listedDeviations = (): Deviations =>
  JSON.parse(readFileSync('test/conformance/deviations.json', 'utf8')) as Deviations;

const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing');
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 400 ? `${line.slice(0, 400)}…` : line;
};

export const lineOf = ({ at, expected, got }: Difference): string =>
  `${at}: expected ${shown(expected)}, got ${shown(got)}`;

export const outcomeOf = (
  family: string,
  given: Case,
  { differences, notExpressible, broken }: Run,
  deviations: Deviations,
): Outcome => {
  const { name } = given;
  const reason = deviations[`${family}/${name}`];
  const failed = differences.length > 0 || notExpressible !== null;
  if (reason !== undefined && !failed)
    return { family, name, verdict: 'failed', lines: ['the deviation is no longer needed: take it off the list'] };
  if (!failed) return { family, name, verdict: 'passed', lines: [] };
  if (reason !== undefined && !broken) return { family, name, verdict: 'deviation', lines: [reason] };
  if (notExpressible !== null) return { family, name, verdict: 'skipped', lines: [notExpressible] };
  const lines = differences.map(lineOf);
  // What the reference itself calls odd is information, not an obligation.
  if (given.quirk && !broken)
    return { family, name, verdict: 'deviation', lines: ['a quirk of the reference', ...lines] };
  return { family, name, verdict: 'failed', lines };
};

export const isRight = ({ verdict }: Outcome): boolean => verdict === 'passed' || verdict === 'deviation';
