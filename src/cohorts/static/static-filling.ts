import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { type ProjectContext } from '../../common/project-context.js';
import { inRepeatedTransaction } from '../../persons/identity/repeated-transaction.js';
import { Projection } from '../../projection/projection.js';
import { pgPool } from '../../stores/postgres/pool.js';
import { type Attempt } from '../calculation/queue.js';
import { takeCandidates } from './candidates.js';
import { membersAtOnce, StaticMembers } from './static-members.js';

/** Holds what was uploaded against the persons, step by step: each step is whole, and whoever takes over goes on from there. */
@Injectable()
export class StaticFilling {
  private readonly pool: Pool;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly members: StaticMembers,
    private readonly projection: Projection,
  ) {
    this.pool = pgPool(dataSource);
  }

  /** The number of members. */
  async fill(project: ProjectContext, { id }: Attempt, signal: AbortSignal): Promise<number> {
    await this.projection.waitUntilFresh(project.id, new Date());
    let isUpload = false;
    while (await this.step(project, id)) {
      isUpload = true;
      signal.throwIfAborted();
    }
    if (!isUpload) {
      await inRepeatedTransaction(this.pool, (client) => this.members.tellAll(client, project.id, id, new Date()));
      this.projection.wake();
    }
    return this.members.count(project.id, id);
  }

  private async step(project: ProjectContext, cohortId: number): Promise<boolean> {
    const taken = await inRepeatedTransaction(this.pool, async (client) => {
      const candidates = await takeCandidates(client, project.id, cohortId, membersAtOnce);
      await this.members.add(client, project.id, cohortId, candidates, new Date());
      return candidates.length;
    });
    this.projection.wake();
    return taken > 0;
  }
}
