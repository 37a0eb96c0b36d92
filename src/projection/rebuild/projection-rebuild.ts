import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type DataSource } from 'typeorm';
import { pgPool } from '../../stores/postgres/pool.js';
import { Projection } from '../projection.js';
import { rebuildProjection, type OnProgress } from './follow.js';
import { type Rebuild } from './rebuild-log.js';

/** `projection rebuild` from inside the service. */
@Injectable()
export class ProjectionRebuild {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly projection: Projection,
  ) {}

  run(onProgress: OnProgress = () => undefined): Promise<Rebuild> {
    return rebuildProjection(pgPool(this.dataSource), new Date(), (rebuild) => {
      if (rebuild.phase === 'requested') this.projection.wake();
      onProgress(rebuild);
    });
  }
}
