import { invalidInput } from '../../platform/errors/problem.js';

/** A position in the history of a cohort: after the first `offset` persons of the row that comes next after the row `id`. */
export interface HistoryPosition {
  readonly id: number;
  readonly offset: number;
}

/** A position in the list of members at one moment of the history. */
export interface SnapshotPosition {
  /** The last change that the list contains. */
  readonly snapshot: number;
  readonly afterPerson: number;
}

/**
 * A position in the history of a cohort that is read from its end: the first `remaining` persons of the row `before` follow,
 * then the rows with smaller ids.
 */
export interface PastPosition {
  readonly before: number;
  readonly remaining: number;
}

export type ChangePosition = HistoryPosition | SnapshotPosition;

const textOf = (position: ChangePosition | PastPosition): string => {
  if ('before' in position) return `p:${position.before}:${position.remaining}`;
  return 'snapshot' in position
    ? `s:${position.snapshot}:${position.afterPerson}`
    : `c:${position.id}:${position.offset}`;
};

export const encodeChangePosition = (position: ChangePosition | PastPosition): string =>
  Buffer.from(textOf(position), 'latin1').toString('base64url');

const decode = (text: string, attr: string): readonly [kind: string, first: number, second: number] => {
  const found = /^([csp]):(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (!found) throw invalidInput(`${attr} is damaged: take it unchanged from an earlier answer`, attr);
  return [found[1] ?? '', Number(found[2]), Number(found[3])];
};

export const decodeChangePosition = (text: string, attr: string): ChangePosition => {
  const [kind, first, second] = decode(text, attr);
  if (kind === 'p')
    throw invalidInput(`${attr} is of an answer with order=newest: ask for the same order, or begin without it`, attr);
  return kind === 's' ? { snapshot: first, afterPerson: second } : { id: first, offset: second };
};

export const decodePastPosition = (text: string, attr: string): PastPosition => {
  const [kind, before, remaining] = decode(text, attr);
  if (kind !== 'p')
    throw invalidInput(`${attr} must be the cursor of an answer with order=newest, or be left out`, attr);
  return { before, remaining };
};
