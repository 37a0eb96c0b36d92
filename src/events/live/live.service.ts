import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Problem, unavailable } from '../../platform/errors/problem.js';
import { Drain } from '../../platform/http/http-server.js';
import { callerOf } from '../../kernel/access/access.js';
import { patienceMs } from '../../platform/http/send-stream.js';
import { eventStreamHeaders, sendEventStream } from '../../platform/http/event-stream.js';
import { streamPermits } from '../../platform/work/stream-permits.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { noPerson, personRef } from '../../kernel/identity/person-ref.js';
import { EventsRepository } from '../log/events.repository.js';
import { LivePoller } from './live-poller.js';
import { LiveStream, type LiveFilter } from './live-stream.js';
import { type LiveQuery } from './live.dto.js';
import { decodePosition, type Position } from './position.js';

/** Sends events to clients while they arrive. */
@Injectable()
export class LiveService {
  /** Tests shorten these times. */
  readonly times = { beatMs: 15_000, stalledMs: patienceMs };

  constructor(
    private readonly rows: EventsRepository,
    private readonly poller: LivePoller,
    private readonly drain: Drain,
  ) {}

  async send(request: Request, response: Response, project: ProjectContext, query: LiveQuery): Promise<void> {
    const resumed = resumedFrom(request, query);
    const filter = await this.filterOf(project, query);
    if (request.method === 'HEAD') {
      response.set(eventStreamHeaders).end();
      return;
    }
    if (this.drain.isStopping) throw unavailable('The service is stopping: connect again');
    const release = streamPermits.take({ project: project.id, caller: callerOf(request).userId });
    const stream = new LiveStream(project.id, filter, resumed, query.limit);
    try {
      await this.poller.join(stream);
      // The first heart-beat has a position, from which a client resumes if its connection breaks before anything arrives.
      stream.beat();
      const isSamePerson = async () => (await this.filterOf(project, query)).personId === filter.personId;
      await sendEventStream(response, stream, {
        stalledMs: this.times.stalledMs,
        seconds: query.max_seconds,
        stopping: this.drain.stopping,
        beat: { everyMs: this.times.beatMs, on: () => this.beat(stream, isSamePerson) },
      });
    } finally {
      this.poller.leave(stream);
      release();
    }
  }

  /** Sends a heart-beat. Ends the stream instead if its person was merged or deleted, but not if a store is unavailable. */
  private async beat(stream: LiveStream, mayGoOn: () => Promise<boolean>): Promise<void> {
    const goesOn = await mayGoOn().catch((error: unknown) => !(error instanceof Problem) || error.status >= 500);
    if (goesOn) stream.beat();
    else stream.end();
  }

  private async filterOf(project: ProjectContext, query: LiveQuery): Promise<LiveFilter> {
    const { person_id: reference, distinct_id, event } = query;
    const personId = reference === undefined ? null : await this.rows.personIdOf(project.id, reference);
    // An unknown person is an error, because a stream that can never show anything would hide the mistake.
    if (reference !== undefined && personId === null) throw noPerson(personRef(reference, 'person_id'));
    return { personId, distinctId: distinct_id ?? null, event: event ?? null };
  }
}

const resumedFrom = (request: Request, { cursor }: LiveQuery): Position | null => {
  const header = request.get('last-event-id');
  if (header !== undefined && header !== '') return decodePosition(header, 'Last-Event-ID');
  return cursor === undefined ? null : decodePosition(cursor, 'cursor');
};
