import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Pool } from 'pg';
import { type DataSource } from 'typeorm';
import { ActiveProjects } from '../../common/background/active-projects.js';
import { type ProjectContext } from '../../common/project-context.js';
import { inRepeatedTransaction } from '../../stores/postgres/repeated-transaction.js';
import { Projection } from '../../projection/projection.js';
import { pgPool } from '../../stores/postgres/pool.js';
import { type Attempt } from '../calculation/queue.js';
import { takeCandidates } from './candidates.js';
import { membersAtOnce, StaticMembers } from './static-members.js';

/** Looks up the uploaded persons step by step: each step is a transaction, so another process can continue behind it. */
@Injectable()
export class StaticFilling {
  private readonly pool: Pool;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    private readonly members: StaticMembers,
    private readonly projection: Projection,
    private readonly active: ActiveProjects,
  ) {
    this.pool = pgPool(dataSource);
  }

  /** The number of members. */
  async fill(project: ProjectContext, { id }: Attempt, signal: AbortSignal): Promise<number> {
    await this.projection.waitUntilFresh(project.id, new Date());
    const first = await this.step(project, id, '0');
    const pace = this.active.pace(project.id);
    for (let last = first; last !== null; last = await this.step(project, id, last)) {
      signal.throwIfAborted();
      await pace.step();
    }
    if (first === null) {
      await inRepeatedTransaction(this.pool, (client) => this.members.tellAll(client, project.id, id, new Date()));
      this.projection.wake();
    }
    return this.members.count(project.id, id);
  }

  /** How far it came; null at the end. */
  private async step(project: ProjectContext, cohortId: number, behind: string): Promise<string | null> {
    const reached = await inRepeatedTransaction(this.pool, async (client) => {
      const { candidates, last } = await takeCandidates(client, project.id, cohortId, behind, membersAtOnce);
      await this.members.add(client, project.id, cohortId, candidates, new Date());
      return last;
    });
    this.projection.wake();
    return reached;
  }
}
