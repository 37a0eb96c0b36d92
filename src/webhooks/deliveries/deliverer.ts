import { Inject, Injectable } from '@nestjs/common';
import { performance } from 'node:perf_hooks';
import { type HistoryPosition } from '../../kernel/memberships/change-position.js';
import { Problem } from '../../platform/errors/problem.js';
import { listFieldOf } from '../../kernel/notices/notice.entity.js';
import { findNotices, nextNotices, type NoticeRow } from '../../kernel/notices/notices.repository.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { findProject } from '../../kernel/projects/projects.repository.js';
import { type Lease } from '../../platform/postgres/lease.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { DestinationMessages, recordRestart, recordSmaller } from './destination-messages.js';
import { judge, type Judged, type Written } from '../destinations/format-messages.js';
import { MessageBodies } from './message-bodies.js';
import { type WebhookKey } from './new-changes.js';
import {
  recordAccepted,
  recordDropped,
  recordStarted,
  recordFailed,
  recordGap,
  recordNothing,
  recordRest,
  type Recording,
} from './outcomes.js';
import { type StartedMessage, type DuePosition, nextPosition } from './positions.js';
import { Sender } from './sender.js';
import { ofNotices } from './webhook-position.entity.js';

/** After this time no further message to the same webhook is started, so that other webhooks are served. */
const mostMs = 3000;
const notRecordedYetMs = 10_000;

/** Sends what is due to one webhook, message after message, each cohort in the order of its history. */
@Injectable()
export class Deliverer {
  constructor(
    private readonly postgres: Postgres,
    private readonly bodies: MessageBodies,
    private readonly destinations: DestinationMessages,
    private readonly sender: Sender,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async deliver(webhook: WebhookKey, lease: Lease, signal: AbortSignal): Promise<void> {
    const { postgres } = this;
    const project = await findProject(postgres, webhook.projectId);
    if (!project) return;
    const end = performance.now() + mostMs;
    do {
      signal.throwIfAborted();
      const now = postgres.clock.now();
      const due = await nextPosition(postgres, webhook, now);
      if (!due) return;
      await this.attempt(project, { postgres, lease, due, now }, signal);
    } while (performance.now() < end);
  }

  private async attempt(project: ProjectContext, recording: Recording, signal: AbortSignal): Promise<void> {
    const { due, lease, now } = recording;
    // The position is kept, so that its messages continue here when the cohort is restored.
    if (due.isDeleted) return recordRest(recording, null);
    if (due.from.id < due.forgottenChange)
      return due.destination ? recordRestart(recording) : this.tellPause(due, await recordGap(recording));
    try {
      const started = due.started ?? (await this.start(project, recording));
      if (!started) return;
      const written = started.written ?? (await this.standardMessage(project, due, started));
      if (!written) return await recordDropped(recording, started);
      const { path, body } = written;
      lease.check();
      const sent = await this.sender.send({ ...due, path }, started.id, body, signal);
      const judged = due.destination ? judge(due.destination.format, path, sent) : sent;
      await this.record({ ...recording, now: recording.postgres.clock.now() }, started, judged);
    } catch (error) {
      // Since the position was looked up, the cohort was deleted, or its changes were removed or are not recorded yet.
      if (!(error instanceof Problem)) throw error;
      await recordRest(recording, new Date(now.getTime() + notRecordedYetMs));
    }
  }

  private async start(project: ProjectContext, recording: Recording): Promise<StartedMessage | null> {
    const { due, postgres } = recording;
    if (due.cohort.id === ofNotices) {
      const question = { after: due.from.id, types: due.events, limit: due.batchSize };
      const notices = await nextNotices(postgres, project.id, question);
      const last = notices.at(-1);
      if (last) return recordStarted(recording, noticeMessage(last, notices.length));
      await recordNothing(recording, due.from);
      return null;
    }
    if (due.destination) return this.destinations.start(project, recording);
    const read = { limit: due.batchSize, entered: kindOf(due) };
    const page = await this.bodies.changesAfter(project, due.cohort.id, due.from, read);
    const to = page.position as HistoryPosition;
    if (page.changes.length > 0)
      return recordStarted(recording, { ...read, to, changes: page.changes.length, noticeType: null });
    await recordNothing(recording, to);
    return null;
  }

  /** Returns null for a notice that is no longer kept. */
  private async standardMessage(
    project: ProjectContext,
    due: DuePosition,
    started: StartedMessage,
  ): Promise<Written | null> {
    if (due.cohort.id !== ofNotices)
      return {
        path: '',
        body: await this.bodies.bodyOf(project, { ...started, cohort: due.cohort, from: due.from }),
      };
    const { noticeType: type, to } = started;
    const notices = await findNotices(this.postgres, project.id, { type: type ?? '', after: due.from.id, to: to.id });
    const body = this.bodies.ofNotices(project, notices);
    return body === null ? null : { path: '', body };
  }

  private async record(recording: Recording, started: StartedMessage, sent: Judged): Promise<void> {
    if (sent.error === null) await recordAccepted(recording, started, sent);
    else if (sent.status === 413 && started.written && started.changes > 1)
      await recordSmaller(recording, started, started.changes);
    else this.tellPause(recording.due, await recordFailed(recording, started, sent));
  }

  private tellPause({ webhook }: DuePosition, reason: string | null): void {
    if (reason === null) return;
    const { projectId: project, id } = webhook;
    this.logger.warn({ project, webhook: id, reason }, 'a webhook was paused; resume it when its receiver works');
  }
}

const noticeMessage = ({ id, type }: NoticeRow, count: number) => ({
  to: { id: Number(id), offset: 0 },
  ...{ limit: count, entered: null, changes: listFieldOf(type) === null ? 0 : count, noticeType: type },
});

const kindOf = ({ kinds }: DuePosition): boolean | null => (kinds.length > 1 ? null : kinds[0] === 'entered');
