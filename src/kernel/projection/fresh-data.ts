import { setTimeout as sleep } from 'node:timers/promises';
import { type ProjectContext } from '../access/project-context.js';
import { type Projection } from './projection.js';

const tries = 10;
const pauseMs = 100;

/**
 * Waits for recent writes before work in the background, for longer than a question does. While the projection is late, only the
 * first work waits long: the others would wait in vain as well, one after the other.
 */
export class FreshData {
  private isLate = false;

  constructor(private readonly projection: Pick<Projection, 'waitUntilFresh'>) {}

  /** Returns the moment up to which ClickHouse has received everything. */
  async until(project: ProjectContext, now: Date, signal: AbortSignal): Promise<Date> {
    for (let tried = 1; ; tried += 1) {
      const { asOf, complete } = await this.projection.waitUntilFresh(project.id, now);
      if (complete || this.isLate || tried === tries) {
        this.isLate = !complete;
        return asOf;
      }
      await sleep(pauseMs, undefined, { signal });
    }
  }
}
