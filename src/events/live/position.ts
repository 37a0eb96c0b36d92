import { invalidInput } from '../../platform/errors/problem.js';

/**
 * A snapshot of PostgreSQL as text, `xmin:xmax:xip,…`. A transaction had ended when the snapshot was taken if its id is below
 * xmax and not in the list.
 */
export type Snapshot = string;

/** The position of one event in the arrivals. */
export interface ArrivalPosition {
  readonly xid: string;
  readonly id: string;
  /** The position in the uuids of the arrival, from 1. */
  readonly at: number;
}

/**
 * The position of a stream. It has all events of transactions that had ended in `from`. Of the events of transactions that ended
 * between `from` and `to`, it has those up to `last`, in the order of their arrivals; without `last`, none of them.
 */
export interface Position {
  readonly from: Snapshot;
  readonly to: Snapshot;
  readonly last: ArrivalPosition | null;
  /** The time at which `to` was taken, in milliseconds. */
  readonly takenAt: number;
}

/** Returns the position of a stream that has everything up to a snapshot. */
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

/** Throws for a text that no stream has sent, before PostgreSQL would refuse it. */
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

/** True if the ids ascend, from xmin up to below xmax, as PostgreSQL requires. */
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

/** Returns xmin: all transactions below it had ended. */
export const lowestOf = (snapshot: Snapshot): string => snapshot.split(':', 1)[0] ?? '';

/** Returns xmax: no transaction with this id or a higher one had started. */
const highestOf = (snapshot: Snapshot): bigint => BigInt(snapshot.split(':')[1] ?? 0);

/** Ids of transactions only grow. If they have not, the later snapshot is of another database, for example a restored one. */
export const isOfOtherDatabase = (earlier: Snapshot, later: Snapshot): boolean => highestOf(earlier) > highestOf(later);
