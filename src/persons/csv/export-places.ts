import { Injectable } from '@nestjs/common';
import { unavailable } from '../../common/errors/problem.js';
import { FairPool } from '../../common/background/fair-pool.js';
import { type ProjectContext } from '../../common/project-context.js';

/** Each holds a connection and a snapshot of PostgreSQL, or a file on disk. */
const maxExports = 4;
/** So that downloads of one project which do not move leave room for another's. */
const maxOfProject = 2;

const busy = () => unavailable('Too many exports are running: try again later', 10);

/** Room for exports of everything, which take as long as their clients. */
@Injectable()
export class ExportPlaces {
  private readonly places = new FairPool(new Array<null>(maxExports).fill(null), {
    share: { alone: maxOfProject, crowded: maxOfProject },
    maxWaiting: 0,
    busy,
    closed: busy,
  });

  async during<T>(project: ProjectContext, work: () => Promise<T>): Promise<T> {
    const { release } = await this.places.acquire({ owner: project.id, waitMs: 0, signal: project.signal });
    try {
      return await work();
    } finally {
      release();
    }
  }
}
