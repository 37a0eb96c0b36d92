import { Injectable } from '@nestjs/common';
import { unavailable } from '../../common/errors/problem.js';
import { FairPool } from '../../common/background/fair-pool.js';
import { type ProjectContext } from '../../common/project-context.js';

/** Each export holds a connection and a snapshot of PostgreSQL, or a file on disk. */
const maxExports = 4;
/** The limit keeps stalled downloads of one project from blocking the exports of another. */
const maxOfProject = 2;

const busy = () => unavailable('Too many exports are running: try again later', 10);

/** Limits concurrent exports of whole lists, which take as long as their clients. */
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
