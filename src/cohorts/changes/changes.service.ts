import { type MessageSource, eventStreamHeaders, sendEventStream } from '../../platform/http/event-stream.js';
import {
  type ChangePosition,
  type PastPosition,
  decodeChangePosition,
  decodePastPosition,
  encodeChangePosition,
} from '../../kernel/memberships/change-position.js';
import { CohortFeed, type FeedPage, type FeedRequest } from './cohort-feed.js';
import { countRows } from '../../platform/http/compression.js';
import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { invalidInput, unavailable } from '../../platform/errors/problem.js';
import { Drain } from '../../platform/http/http-server.js';
import { callerOf } from '../../kernel/access/access.js';
import { patienceMs, sendStream } from '../../platform/http/send-stream.js';
import { type MemberKind } from '../../kernel/memberships/record-members.js';
import { watchAdmission } from '../../platform/http/watch-admission.js';
import { streamPermits } from '../../platform/work/stream-permits.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { ChangeWatch } from './change-watch.js';
import { type ChangeFormat, type ChangesQuery } from './changes.dto.js';

interface StreamParts {
  readonly read: (after: ChangePosition) => Promise<FeedPage>;
  /** Resolves when there is a change after the id, or after some time. */
  readonly wait: (after: number, signal: AbortSignal) => Promise<void>;
}

/** Follows the changes of a cohort at the pace of its client: the next page is read only after the previous one was sent. */
class ChangeStream implements MessageSource {
  rows = 0;
  private readonly ended = new AbortController();

  constructor(
    private page: FeedPage,
    private readonly parts: StreamParts,
  ) {}

  end(): void {
    this.ended.abort();
  }

  async *texts(): AsyncGenerator<string> {
    const { signal } = this.ended;
    while (!signal.aborted) {
      const { changes, position, hasMore } = this.page;
      const messages = changes.map(
        (change) => `id: ${change.cursor}\nevent: ${change.change}\ndata: ${JSON.stringify(change)}\n\n`,
      );
      this.rows += changes.length;
      // A comment keeps proxies from closing a silent connection. Its id is the position from which the client resumes.
      yield messages.length > 0 ? messages.join('') : `: no change\nid: ${encodeChangePosition(position)}\n\n`;
      if (!hasMore) await this.parts.wait('snapshot' in position ? position.snapshot : position.id, signal);
      if (!signal.aborted) this.page = await this.parts.read(position);
    }
  }
}

const longestStreamSeconds = 3600;

/** Answers the changes of a cohort: a page, a page that waits for a change, or a stream. */
@Injectable()
export class ChangesService {
  /** Tests shorten these times. */
  readonly times = { beatMs: 15_000, stalledMs: patienceMs };

  constructor(
    private readonly feed: CohortFeed,
    private readonly watch: ChangeWatch,
    private readonly drain: Drain,
  ) {}

  async send(
    request: Request,
    response: Response,
    project: ProjectContext,
    cohortId: number,
    query: ChangesQuery,
    of: MemberKind,
  ): Promise<void> {
    const { limit, change } = query;
    const read = { of, limit, entered: change === undefined ? null : change === 'entered' };
    const format = formatOf(request, query);
    if (query.order === 'newest') {
      const before = pastPositionOf(format, query);
      return sendPage(response, format, await this.feed.readPast(project, cohortId, before, read));
    }
    const feedRequest: FeedRequest = { ...read, after: await this.positionOf(request, project, cohortId, query, of) };
    if (format === 'sse') return this.stream(request, response, project, cohortId, feedRequest);
    const page = await this.page(request, response, project, cohortId, feedRequest, query.wait);
    return sendPage(response, format, page);
  }

  private async positionOf(
    request: Request,
    project: ProjectContext,
    cohortId: number,
    { after }: ChangesQuery,
    of: MemberKind,
  ): Promise<ChangePosition | null> {
    const header = request.get('last-event-id');
    if (header !== undefined && header !== '') return decodeChangePosition(header, 'Last-Event-ID');
    if (after === 'latest') return this.feed.latest(project, cohortId, of);
    return after === undefined ? null : decodeChangePosition(after, 'after');
  }

  private async page(
    request: Request,
    response: Response,
    project: ProjectContext,
    cohortId: number,
    feedRequest: FeedRequest,
    seconds: number,
  ): Promise<FeedPage> {
    const deadline = performance.now() + seconds * 1000;
    let page = await this.feed.read(project, cohortId, feedRequest);
    if (seconds === 0 || page.changes.length > 0 || page.hasMore) return page;
    const release = streamPermits.take({ project: project.id, caller: callerOf(request).userId });
    const stopLooking = watchAdmission(request, () => response.destroy());
    const gone = new AbortController();
    const stop = () => gone.abort();
    response.once('close', stop);
    this.drain.stopping.addEventListener('abort', stop);
    try {
      for (;;) {
        const remainingMs = deadline - performance.now();
        if (remainingMs <= 0 || gone.signal.aborted || page.changes.length > 0) return page;
        const { position } = page;
        const lastSeen = 'snapshot' in position ? position.snapshot : position.id;
        await this.watch.wait(project.id, cohortId, lastSeen, remainingMs, gone.signal);
        page = await this.feed.read(project, cohortId, { ...feedRequest, after: position });
      }
    } finally {
      stopLooking();
      response.off('close', stop);
      this.drain.stopping.removeEventListener('abort', stop);
      release();
    }
  }

  private async stream(
    request: Request,
    response: Response,
    project: ProjectContext,
    cohortId: number,
    feedRequest: FeedRequest,
  ): Promise<void> {
    // The first page is read before the stream starts, so that mistakes are answered as errors.
    const first = await this.feed.read(project, cohortId, feedRequest);
    if (request.method === 'HEAD') {
      response.set(eventStreamHeaders).end();
      return;
    }
    if (this.drain.isStopping) throw unavailable('The service is stopping: connect again');
    const release = streamPermits.take({ project: project.id, caller: callerOf(request).userId });
    const stream = new ChangeStream(first, {
      read: (after) => this.feed.read(project, cohortId, { ...feedRequest, after }),
      wait: (lastSeen, signal) => this.watch.wait(project.id, cohortId, lastSeen, this.times.beatMs, signal),
    });
    try {
      const { stalledMs } = this.times;
      const stopping = this.drain.stopping;
      await sendEventStream(response, stream, { stalledMs, seconds: longestStreamSeconds, stopping });
    } finally {
      stream.end();
      release();
    }
  }
}

const formatOf = (request: Request, { format }: ChangesQuery): ChangeFormat =>
  format === 'json' && request.get('accept')?.startsWith('text/event-stream') ? 'sse' : format;

/** Returns the position of a reader of past changes. A stream or a wait is refused, because the past does not grow. */
const pastPositionOf = (format: ChangeFormat, { after, wait }: ChangesQuery): PastPosition | null => {
  if (format === 'sse') throw invalidInput('order must be oldest for a stream, which follows the changes', 'order');
  if (wait > 0) throw invalidInput('order must be oldest to wait for a change', 'order');
  return after === undefined ? null : decodePastPosition(after, 'after');
};

const sendPage = async (
  response: Response,
  format: ChangeFormat,
  { changes, position, hasMore }: FeedPage<ChangePosition | PastPosition>,
): Promise<void> => {
  const cursor = encodeChangePosition(position);
  countRows(response, changes.length);
  if (format === 'json') {
    response.status(200).json({ results: changes, cursor, has_more: hasMore });
    return;
  }
  response.status(200).set('Content-Type', 'application/x-ndjson');
  response.set('X-Cursor', cursor);
  await sendStream(response, [changes.map((each) => `${JSON.stringify(each)}\n`).join('')]);
};
