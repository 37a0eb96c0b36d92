import { type ClientBase } from 'pg';
import { removeSelected } from '../../kernel/event-log/removal/selected-events.js';
import { removeEvents, removeOldWarnings } from '../../kernel/event-log/removal/remove-events.js';
import { type Lease } from '../../platform/postgres/lease.js';
import {
  type OpenRequest,
  nextRequest,
  openProjects,
  recordError,
  recordSwept,
  requestedDistinctIds,
  selectedPiece,
  startRequests,
  sweepEnded,
} from './deletion-requests.repository.js';
import { RunSteps, type RunnerParts, type SweepLimits, endsRun, sweepLimits } from '../run-steps.js';
import { type Postgres } from '../../platform/postgres/postgres.js';
import { auditRetentionMs, removeOldEntries } from '../../audit/trail/audit.repository.js';
import { cleanWholly } from '../../kernel/event-log/compression/clean-blocks.js';
import { ExpiryRunner } from '../expiry/expiry-runner.js';
import { type Run, finishRun, startRun } from './deletion-runs.repository.js';
import { verify } from './verify.js';

/**
 * Sweeps the next chunk of a request. Events, outbox, receipt and progress change in one transaction, so that a crash neither
 * forgets an event nor counts one twice. Returns the number of removed events.
 */
const sweepChunk = (
  { postgres, lease, limits }: { readonly postgres: Postgres; readonly lease: Lease; readonly limits: SweepLimits },
  request: OpenRequest,
  now: Date,
): Promise<number> =>
  postgres.transaction(async (client) => {
    await lease.confirm(client);
    if (request.kind !== 'person') return sweepSelected(client, request, now);
    const distinctIds = await requestedDistinctIds(client, request, request.sweptUntil, limits.distinctIds);
    if (distinctIds.length === 0) {
      await sweepEnded(client, request, now);
      return 0;
    }
    const removal = { distinctIds, receivedUpTo: request.receivedUpTo };
    const { removed, more } = await removeEvents(client, request.projectId, removal, limits.events, now);
    await recordSwept(client, request, { removed }, more ? null : (distinctIds.at(-1) ?? null));
    return removed;
  });

/** Sweeps the next events that a request has selected: removes them, or the parts of them. */
const sweepSelected = async (client: ClientBase, request: OpenRequest, now: Date): Promise<number> => {
  const piece = await selectedPiece(client, request, Number(request.sweptUntil ?? -1));
  if (!piece) {
    await sweepEnded(client, request, now);
    return 0;
  }
  const number = await removeSelected(client, request.projectId, piece, now);
  await recordSwept(client, request, piece.scrub ? { changed: number } : { removed: number }, String(piece.position));
  return number;
};

const warningRetentionMs = 90 * 24 * 60 * 60_000;

/**
 * Does one run of the job: chunk by chunk, one project after the other, until the log has none of the events to delete. Then
 * counts the events that both stores still have. The whole state is in PostgreSQL, so a run may end at any step and start again.
 * Expired events are removed afterwards in the same way.
 */
export class DeletionRunner {
  private readonly failed = new Set<string>();
  private readonly steps: RunSteps;

  constructor(
    private readonly parts: RunnerParts,
    private readonly run: Run,
  ) {
    this.steps = new RunSteps(parts);
  }

  async execute(): Promise<void> {
    await this.start();
    do await this.sweepAll();
    while (await this.verifyAll());
    const expiry = new ExpiryRunner(this.parts, this.steps, this.run);
    if (this.run.reason !== 'second look') await expiry.execute();
    if (this.failed.size > 0) throw new Error(`${this.failed.size} deletion requests could not be finished yet`);
    if (expiry.failures > 0) throw new Error(`expired events of ${expiry.failures} projects could not be removed yet`);
    if (this.run.reason !== 'second look') await this.removeOldRecords();
    await this.steps.asHolder((client) => finishRun(client, this.run.number, this.steps.now()));
  }

  private async start(): Promise<void> {
    await this.steps.asHolder((client) => startRun(client, this.run.number));
    for (const projectId of await openProjects(this.parts.postgres)) {
      await this.steps.asHolder((client) => startRequests(client, projectId, this.run, this.steps.now()));
    }
  }

  private async sweepAll(): Promise<void> {
    let projects = await openProjects(this.parts.postgres);
    while (projects.length > 0) {
      const unfinished: number[] = [];
      for (const projectId of projects) {
        if (await this.sweepOne(projectId)) unfinished.push(projectId);
      }
      projects = unfinished;
    }
  }

  /** Sweeps one chunk of the project's oldest request. Returns false when nothing remains to be swept. */
  private async sweepOne(projectId: number): Promise<boolean> {
    const { postgres, lease, limits = sweepLimits, onDeleted } = this.parts;
    const request = await this.next(projectId, 'sweep');
    if (!request) return false;
    let removed = 0;
    await this.guarded(request, async () => {
      removed = await sweepChunk({ postgres, lease, limits }, request, this.steps.now());
      onDeleted(removed);
    });
    await this.steps.keepPace(projectId, removed);
    return true;
  }

  /** Verifies all requests. Returns true if any of them must be swept or verified again. */
  private async verifyAll(): Promise<boolean> {
    let again = false;
    for (const projectId of await openProjects(this.parts.postgres)) {
      const seen: string[] = [];
      for (;;) {
        const request = await this.next(projectId, 'verify', seen);
        if (!request) break;
        await this.guarded(request, async () => {
          if (seen.length === 0) {
            await cleanWholly(this.parts.postgres, projectId, () => this.steps.assertContinuing());
            await this.steps.untilFresh(projectId);
          }
          const remaining = await verify(this.parts, request, this.run, () => this.steps.now());
          if (remaining > 0) this.steps.assertProgress(request.id, remaining);
          again ||= remaining > 0;
        });
        seen.push(request.id);
      }
    }
    return again;
  }

  /** Removes old ingestion warnings and old entries of the audit trail. */
  private async removeOldRecords(): Promise<void> {
    const ago = (ms: number) => new Date(this.steps.now().getTime() - ms);
    const { rows } = await this.parts.postgres.query<{ id: number }>('SELECT id FROM projects ORDER BY id');
    for (const { id } of rows) {
      this.steps.assertContinuing();
      await removeOldWarnings(this.parts.postgres, id, ago(warningRetentionMs));
      await removeOldEntries(this.parts.postgres, id, ago(auditRetentionMs));
    }
  }

  private next(projectId: number, step: 'sweep' | 'verify', except: readonly string[] = []) {
    this.steps.assertContinuing();
    return nextRequest(this.parts.postgres, projectId, step, [...this.failed, ...except]);
  }

  /** Records a failure of one request, which must not stop the deletion of the others. */
  private async guarded(request: OpenRequest, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Error) || endsRun(error)) throw error;
      const { projectId: project, id } = request;
      this.parts.logger.warn({ err: error, project, request: id }, 'a deletion request must be retried');
      this.failed.add(id);
      await recordError(this.parts.postgres, request, error.message);
    }
  }
}
