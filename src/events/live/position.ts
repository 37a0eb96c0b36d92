import { invalidInput } from '../../platform/errors/problem.js';

/**
 * A snapshot of PostgreSQL as text, `xmin:xmax:xip,…`: a transaction had ended when it was taken if its id is below xmax and
 * not in the list.
 */
export type Snapshot = string;

/** One event of an arrival. */
export interface ArrivalPosition {
  readonly xid: string;
  readonly id: string;
  /** The position in the uuids of the arrival, from 1. */
  readonly at: number;
}

/**
 * How far a stream has come. It has all events of transactions that had ended in `from`; of those that ended between `from`
 * and `to`, it has the events up to `last`, in the order of their arrivals. Without `last` it has none of them.
 */
export interface Position {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly last: ArrivalPosition | null;
  /** When `to` was taken, in milliseconds. */
  readonly takenAt: number;
}

/** A stream that has everything up to a snapshot. */
export const positionAt = (snapshot: Snapshot, takenAt: number): Position => ({
  from: snapshot,
  to: snapshot,
  last: null,
  takenAt,
});

export const encodePosition = ({ from, to, last, takenAt }: Position): string => {
  const parts = [from, to === from ? '' : to, last ? `${last.xid}.${last.id}.${last.at}` : '', takenAt];
  return Buffer.from(parts.join(' ')).toString('base64url');
};

const maxLength = 16_000;
const snapshotShape = /^(\d{1,18}):(\d{1,18}):((?:\d{1,18}(?:,\d{1,18})*)?)$/;
const arrivalShape = /^(\d{1,18})\.(\d{1,18})\.(\d{1,9})$/;

/** Throws for a text that no stream has sent, so that PostgreSQL need not refuse it. */
export const decodePosition = (text: string, attr: string): Position => {
  const parts = text.length > maxLength ? [] : Buffer.from(text, 'base64url').toString('latin1').split(' ');
  const [from = '', to = '', arrival = '', takenAt = ''] = parts;
  const isWhole = parts.length === 4 && isSnapshot(from) && (to === '' || isSnapshot(to)) && /^\d{1,15}$/.test(takenAt);
  const last = arrivalOf(arrival);
  if (!isWhole || (arrival !== '' && last === null)) {
    throw invalidInput(`${attr} is damaged: take it unchanged from the id of a message`, attr);
  }
  return { from, to: to === '' ? from : to, last, takenAt: Number(takenAt) };
};

/** PostgreSQL accepts ascending ids from xmin on and below xmax. */
const isSnapshot = (text: string): boolean => {
  const [, low = '', high = '', list = ''] = snapshotShape.exec(text) ?? [];
  if (low === '') return false;
  const [xmin, xmax] = [BigInt(low), BigInt(high)];
  const xids = list === '' ? [] : list.split(',').map(BigInt);
  const isAscending = xids.every((xid, at) => xid >= xmin && xid < xmax && (at === 0 || xid > (xids[at - 1] ?? 0n)));
  return xmin > 0n && xmin <= xmax && isAscending;
};

const arrivalOf = (text: string): ArrivalPosition | null => {
  const [, xid, id, at] = arrivalShape.exec(text) ?? [];
  return xid === undefined || id === undefined ? null : { xid, id, at: Number(at) };
};

/** Transactions below it had ended. */
export const lowestOf = (snapshot: Snapshot): string => snapshot.split(':', 1)[0] ?? '';

/** No transaction from here on had started. */
const highestOf = (snapshot: Snapshot): bigint => BigInt(snapshot.split(':')[1] ?? 0);

/** Ids of transactions only grow, so the later of two is of another database: one that was restored, for example. */
export const isOfOtherDatabase = (earlier: Snapshot, later: Snapshot): boolean => highestOf(earlier) > highestOf(later);
