import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { Problem, unavailable } from '../../common/errors/problem.js';
import { Drain } from '../../common/http/drain.js';
import { callerOf, contextOf } from '../../common/http/request-context.js';
import { endWhenStalled, patienceMs } from '../../common/http/send-stream.js';
import { type ProjectContext } from '../../common/project-context.js';
import { noPerson, personRef } from '../../persons/person-ref.js';
import { EventRows } from '../log/event-rows.js';
import { LivePlaces } from './live-places.js';
import { LivePoller } from './live-poller.js';
import { LiveStream, type LiveFilter } from './live-stream.js';
import { type LiveQuery } from './live.dto.js';
import { decodePosition, type Position } from './position.js';

/** After this a browser that was disconnected connects again. */
const reconnectMs = 2000;

const headers = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-store',
  // nginx would otherwise hold messages back until its buffer is full.
  'X-Accel-Buffering': 'no',
} as const;

/** Sends events to clients while they arrive. */
@Injectable()
export class LiveService {
  /** Tests shorten them. */
  readonly times = { beatMs: 15_000, stalledMs: patienceMs };

  constructor(
    private readonly rows: EventRows,
    private readonly poller: LivePoller,
    private readonly places: LivePlaces,
    private readonly drain: Drain,
  ) {}

  async send(request: Request, response: Response, project: ProjectContext, query: LiveQuery): Promise<void> {
    const resumed = resumedFrom(request, query);
    const filter = await this.filterOf(project, query);
    if (request.method === 'HEAD') {
      response.set(headers).end();
      return;
    }
    if (this.drain.hasBegun) throw unavailable('The service is stopping: connect again');
    const release = this.places.take(project.id, callerOf(request).userId);
    const stream = new LiveStream(project.id, filter, resumed, query.limit);
    try {
      await this.poller.join(stream);
      await this.sendTo(response, stream, query.max_seconds, async () => {
        const isAdmitted = await contextOf(request).isStillAdmitted();
        return isAdmitted && (await this.filterOf(project, query)).personId === filter.personId;
      });
    } finally {
      this.poller.leave(stream);
      release();
    }
  }

  private async sendTo(
    response: Response,
    stream: LiveStream,
    seconds: number,
    mayGoOn: () => Promise<boolean>,
  ): Promise<void> {
    const end = () => stream.end();
    const stopWatching = endWhenStalled(response, this.times.stalledMs);
    const beat = setInterval(() => void this.beat(stream, mayGoOn), this.times.beatMs);
    const timeUp = setTimeout(end, seconds * 1000);
    response.once('close', end);
    this.drain.begun.addEventListener('abort', end);
    try {
      if (response.destroyed) return;
      response.status(200).set(headers);
      if (!(await written(response, `retry: ${reconnectMs}\n\n`))) return;
      for await (const text of stream.texts()) if (!(await written(response, text))) return;
      response.end();
    } finally {
      clearInterval(beat);
      clearTimeout(timeUp);
      stopWatching();
      this.drain.begun.removeEventListener('abort', end);
    }
  }

  /** A key that was revoked, or a person that was merged, ends the stream; a store that is down does not. */
  private async beat(stream: LiveStream, mayGoOn: () => Promise<boolean>): Promise<void> {
    const goesOn = await mayGoOn().catch((error: unknown) => !(error instanceof Problem) || error.status >= 500);
    if (goesOn) stream.beat();
    else stream.end();
  }

  private async filterOf(project: ProjectContext, query: LiveQuery): Promise<LiveFilter> {
    const { person_id: reference, distinct_id, event } = query;
    const personId = reference === undefined ? null : await this.rows.personIdOf(project.id, reference);
    // A stream that can never show anything would hide the mistake.
    if (reference !== undefined && personId === null) throw noPerson(personRef(reference, 'person_id'));
    return { personId, distinctId: distinct_id ?? null, event: event ?? null };
  }
}

const resumedFrom = (request: Request, { cursor }: LiveQuery): Position | null => {
  const header = request.get('last-event-id');
  if (header !== undefined && header !== '') return decodePosition(header, 'Last-Event-ID');
  return cursor === undefined ? null : decodePosition(cursor, 'cursor');
};

/** Resolves when the text has left the process: true, or false when the client is gone. */
const written = (response: Response, text: string): Promise<boolean> => {
  if (response.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const gone = () => resolve(false);
    response.once('close', gone);
    response.write(text, (error) => {
      response.off('close', gone);
      resolve(!error);
    });
  });
};
