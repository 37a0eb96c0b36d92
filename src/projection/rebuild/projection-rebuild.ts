import { Injectable } from '@nestjs/common';
import { Projection } from '../projection.js';
import { rebuildProjection, type OnProgress } from './follow.js';
import { type Rebuild } from './rebuild-log.js';
import { Postgres } from '../../stores/postgres/postgres.js';

/** Runs `projection rebuild` inside the service. */
@Injectable()
export class ProjectionRebuild {
  constructor(
    private readonly postgres: Postgres,
    private readonly projection: Projection,
  ) {}

  run(onProgress: OnProgress = () => undefined): Promise<Rebuild> {
    return rebuildProjection(this.postgres, new Date(), (rebuild) => {
      if (rebuild.phase === 'requested') this.projection.wake();
      onProgress(rebuild);
    });
  }
}
