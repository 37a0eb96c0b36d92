import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { bound, pgSql } from '../../platform/postgres/sql.js';

const everyMs = 250;
const afterFailureMs = 1000;

interface Watched {
  readonly projectId: number;
  readonly cohortId: number;
  readonly after: number;
  readonly found: () => void;
}

/**
 * Notices new changes of cohorts for all waiting readers of this process. All readers of a project share one statement per check;
 * without readers there is none. Checks are needed because another process may have made the change.
 */
@Injectable()
export class ChangeWatch {
  private readonly waiting = new Set<Watched>();
  private running: Promise<void> | null = null;

  constructor(
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Resolves when the cohort has a change after `after`, after `ms`, or when the signal is aborted. */
  async wait(projectId: number, cohortId: number, after: number, ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', done);
        this.waiting.delete(watched);
        resolve();
      };
      const timer = setTimeout(done, ms);
      const watched: Watched = { projectId, cohortId, after, found: done };
      signal.addEventListener('abort', done);
      this.waiting.add(watched);
      this.running ??= this.run();
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.size > 0) {
      let pause = everyMs;
      try {
        await this.look([...this.waiting]);
      } catch (error) {
        pause = afterFailureMs;
        this.logger.warn({ err: error }, 'changes of cohorts could not be looked for; none is lost');
      }
      await sleep(pause);
    }
    this.running = null;
  }

  private async look(watched: readonly Watched[]): Promise<void> {
    for (const projectId of new Set(watched.map((one) => one.projectId))) {
      await this.lookIn(
        projectId,
        watched.filter((one) => one.projectId === projectId),
      );
    }
  }

  private async lookIn(projectId: number, watched: readonly Watched[]): Promise<void> {
    const { rows } = await this.postgres.query<{ place: number }>(
      pgSql`SELECT input.place::integer
       FROM unnest(${bound(watched.map(({ cohortId }) => cohortId))}::integer[], ${bound(watched.map(({ after }) => after))}::bigint[])
         WITH ORDINALITY AS input (cohort_id, after, place)
       WHERE EXISTS (
         SELECT FROM cohort_changes AS c
         WHERE c.project_id = ${bound(projectId)} AND c.cohort_id = input.cohort_id AND c.id > input.after)`,
    );
    for (const { place } of rows) watched[place - 1]?.found();
  }
}
