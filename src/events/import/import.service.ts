import { Injectable } from '@nestjs/common';
import { Permits } from '../../platform/work/permits.js';
import { type Author } from '../../kernel/access/author.js';
import { unavailable } from '../../platform/errors/problem.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { type ImportedPerson, importPersons } from '../../kernel/identity/import-persons.js';
import { loadOwners } from '../../kernel/identity/load.js';
import { MovedMembers } from '../../kernel/memberships/moved-members.js';
import { Projection } from '../../kernel/projection/projection.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { GroupCommit } from '../../kernel/event-log/group-commit.js';
import { type LoggableEvent } from '../../kernel/event-log/event-log.js';
import { writeBatches } from './batches.js';
import { recordImport } from './import-activity.js';
import { importRun, type ImportCounts, type ImportRefusal, type ImportWriter } from './import-run.js';
import { type ReadingOptions } from './record.js';
import { stoppedByQuota } from './stopped-by-quota.js';

const refusals = {
  project: 'Another import of this project is running: try again when it has ended',
  all: 'Too many imports are running: try again',
} as const;

@Injectable()
export class ImportService {
  /**
   * Limits imports, because each holds a connection to PostgreSQL for most of its time and fills the queue that captured events
   * wait in.
   */
  private readonly permits = new Permits({ project: 1, all: 4 }, { refusal: (full) => unavailable(refusals[full], 5) });

  constructor(
    private readonly postgres: Postgres,
    private readonly log: GroupCommit,
    private readonly projection: Projection,
    private readonly members: MovedMembers,
  ) {}

  /** Yields rejections chunk by chunk; `counts` grows with each commit. */
  async *run(
    projectId: number,
    bytes: AsyncIterable<Buffer>,
    options: ReadingOptions,
    counts: ImportCounts,
    now: Date,
  ): AsyncGenerator<readonly ImportRefusal[]> {
    const release = this.permits.take({ project: projectId });
    const endImport = this.projection.startImport();
    try {
      yield* importRun(bytes, options, this.writer(projectId, now), counts, now);
    } finally {
      endImport();
      release();
    }
  }

  /** Records an import, even one that failed half way, because its counted events are committed. */
  record(project: ProjectContext, counts: ImportCounts, rejected: number, author: Author): Promise<void> {
    return recordImport(this.postgres, project, { ...counts, rejected }, { ...author, importId: author.requestId });
  }

  private writer(projectId: number, now: Date): ImportWriter {
    const writePersons = async (persons: readonly ImportedPerson[]) => {
      const refused = await this.postgres.transaction(
        (client) => importPersons(client, projectId, persons, now, this.members),
        { repeat: true },
      );
      this.projection.wake();
      return refused;
    };
    const writeEvents = (events: readonly LoggableEvent[], receivedAt: Date) =>
      this.log.add(projectId, events, receivedAt).catch((error: unknown) => {
        throw stoppedByQuota(error) ?? error;
      });
    return {
      findOwners: (distinctIds) => loadOwners(this.postgres, projectId, distinctIds),
      write: async (batches, receivedAt, read) => {
        const written = {
          writePersons,
          writeEvents: (events: readonly LoggableEvent[]) => writeEvents(events, receivedAt),
        };
        const { refusedPersons, ...verdict } = await writeBatches(batches, written);
        return { ...read(refusedPersons), ...verdict };
      },
    };
  }
}
