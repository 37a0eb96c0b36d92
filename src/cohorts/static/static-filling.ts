import { Injectable } from '@nestjs/common';
import { ActiveProjects } from '../../platform/work/active-projects.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Projection } from '../../kernel/projection/projection.js';
import { lockCohort } from '../record/cohort-lock.js';
import { hasCandidates, takeCandidates } from './candidates.js';
import { type StaticCohort } from './member-tables.js';
import { membersAtOnce, StaticMembers } from './static-members.js';
import { Postgres } from '../../platform/postgres/postgres.js';

/** Looks up uploaded persons or groups step by step. Each step is a transaction, after which another process can continue. */
@Injectable()
export class StaticFilling {
  constructor(
    private readonly postgres: Postgres,
    private readonly members: StaticMembers,
    private readonly projection: Projection,
    private readonly active: ActiveProjects,
  ) {}

  async fill(project: ProjectContext, cohort: StaticCohort, signal: AbortSignal): Promise<void> {
    await this.projection.waitUntilFresh(project.id, new Date());
    const first = await this.step(project, cohort, '0');
    const pace = this.active.pace(project.id);
    for (let last = first; last !== null; last = await this.step(project, cohort, last)) {
      signal.throwIfAborted();
      await pace.step();
    }
    const removed = await this.removeUnselected(project, cohort, signal);
    if (first === null && !removed) {
      await this.postgres.transaction((client) => this.members.enqueueAll(client, project.id, cohort, new Date()), {
        repeat: true,
      });
      this.projection.wake();
    }
  }

  /** Removes the members that the last run of the cohort's query did not select. Returns true if there were any. */
  private async removeUnselected(project: ProjectContext, cohort: StaticCohort, signal: AbortSignal): Promise<boolean> {
    let after: string | null = '0';
    let removed = false;
    while (after !== null) {
      signal.throwIfAborted();
      const from: string = after;
      after = await this.postgres.transaction(
        async (client) => {
          await lockCohort(client, project.id, cohort.id);
          // A run that started meanwhile has stored other candidates, which its own filling looks up first.
          if (await hasCandidates(client, project.id, cohort.id)) return null;
          return this.members.removeUnselected(client, project.id, cohort, from, new Date());
        },
        { repeat: true },
      );
      removed ||= after !== null;
    }
    this.projection.wake();
    return removed;
  }

  /** Does one step. Returns the position that it reached; null at the end. */
  private async step(project: ProjectContext, cohort: StaticCohort, after: string): Promise<string | null> {
    const reached = await this.postgres.transaction(
      async (client) => {
        // A run of the cohort's query replaces the candidates, so it must wait for this step.
        await lockCohort(client, project.id, cohort.id);
        const { byUpload, last } = await takeCandidates(client, project.id, cohort.id, after, membersAtOnce);
        for (const [upload, candidates] of byUpload)
          await this.members.addSelected(client, project.id, cohort, candidates, { now: new Date(), upload });
        return last;
      },
      { repeat: true },
    );
    this.projection.wake();
    return reached;
  }
}
