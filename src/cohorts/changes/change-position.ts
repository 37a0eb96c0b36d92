import { invalidInput } from '../../common/errors/problem.js';

/** A place in the history of a cohort: behind the first `offset` persons of the row that follows `id`. */
export interface HistoryPosition {
  readonly id: number;
  readonly offset: number;
}

/** A place in the list of members at one moment of the history. */
export interface SnapshotPosition {
  /** The last change that the list contains. */
  readonly snapshot: number;
  readonly behind: number;
}

export type ChangePosition = HistoryPosition | SnapshotPosition;

export const encodeChangePosition = (position: ChangePosition): string => {
  const text =
    'snapshot' in position ? `s:${position.snapshot}:${position.behind}` : `c:${position.id}:${position.offset}`;
  return Buffer.from(text, 'latin1').toString('base64url');
};

export const decodeChangePosition = (text: string, attr: string): ChangePosition => {
  const found = /^([cs]):(\d{1,15}):(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1'));
  if (!found) throw invalidInput(`${attr} is damaged: take it unchanged from an earlier answer`, attr);
  const [first, second] = [Number(found[2]), Number(found[3])];
  return found[1] === 's' ? { snapshot: first, behind: second } : { id: first, offset: second };
};
