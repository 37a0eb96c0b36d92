import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '../../common/logging/logger.js';
import { Config } from '../../config/config.js';
import { ClickHouse } from '../../stores/clickhouse/client.js';
import { Lease } from '../../stores/postgres/lease.js';
import { Postgres } from '../../stores/postgres/postgres.js';
import { ProjectDeletionWorker, projectDeletionLease } from './project-deletion-worker.js';

/** Removes deleted projects in processes that work in the background. */
@Injectable()
export class ProjectDeletionsJob implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly worker: ProjectDeletionWorker | null;

  constructor(config: Config, postgres: Postgres, clickhouse: ClickHouse, @Inject(LOGGER) logger: Logger) {
    const lease = new Lease(postgres, projectDeletionLease, { sole: config.clickhouseUrl === null });
    this.worker = config.worksInBackground ? new ProjectDeletionWorker({ postgres, clickhouse, lease, logger }) : null;
  }

  onApplicationBootstrap(): void {
    this.worker?.start();
  }

  /** Stops while the projection still ships. */
  async onModuleDestroy(): Promise<void> {
    await this.worker?.stop();
  }
}
