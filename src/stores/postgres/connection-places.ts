import { unavailable } from '../../common/errors/problem.js';
import { FairPool, type Share } from '../../common/background/fair-pool.js';

const waitMs = 10_000;
const busy = () => unavailable('Too many requests of this project wait for the database: try again shortly');

interface Reader {
  readonly id: number;
  readonly signal?: AbortSignal;
}

/**
 * Limits how many connections of the pool one kind of work may use, in all and for one project: the pool itself serves in
 * order of arrival, so one project's long reads could occupy every connection.
 */
export class ConnectionPlaces {
  private readonly places: FairPool<null>;

  constructor(size: number, share: Share) {
    this.places = new FairPool(new Array<null>(size).fill(null), { share, busy, closed: busy });
  }

  async during<T>({ id, signal }: Reader, work: () => Promise<T>): Promise<T> {
    const { release } = await this.places.acquire({ owner: id, waitMs, signal });
    try {
      return await work();
    } finally {
      release();
    }
  }
}
