import { FairPool, type Share } from '../work/fair-pool.js';
import { unavailable } from '../errors/problem.js';

const waitMs = 10_000;
const busy = () => unavailable('Too many requests of this project wait for the database: try again shortly');

interface Reader {
  readonly id: number;
  readonly signal?: AbortSignal;
}

/**
 * Limits how many connections of the pool one kind of work may use, in all and for one project: the pool itself serves in
 * order of arrival, so one project's long reads could occupy every connection. Returns the function that does such work.
 */
export const connectionSlots = (size: number, share: Share) => {
  const slots = FairPool.ofSlots(size, { share, busy, closed: busy });
  return <T>({ id, signal }: Reader, work: () => Promise<T>): Promise<T> =>
    slots.during({ owner: id, waitMs, signal }, work);
};
