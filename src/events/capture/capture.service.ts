import { Injectable } from '@nestjs/common';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { Problem } from '../../platform/errors/problem.js';
import { isOfDeletedProject } from '../../platform/errors/store-errors.js';
import { ProjectTokens, type TokenProject } from '../../kernel/projects/project-tokens.js';
import { CookielessSalts } from '../../kernel/event-log/cookieless/cookieless-salts.js';
import { IngestionCounts } from '../ingestion/ingestion-counts.js';
import { type Library, libraryOf } from '../ingestion/ingestion-counts.repository.js';
import { GroupCommit, type Verdict } from '../../kernel/event-log/group-commit.js';
import { type LoggableEvent, loggable } from '../../kernel/event-log/event-log.js';
import { type EventRejection, type NormaliseContext } from '../../kernel/event-log/normalise/normalise.js';
import { CaptureLimits, duringReading, duringUnpacking } from './capture-limits.js';
import { type CaptureReplyDto, type CaptureResultsDto, type CaptureWarningDto, type ResultDto } from './capture.dto.js';
import { type CaptureRequest, open } from './decode.js';
import { type Dialect, posthogDialect } from './dialect.js';
import { type CaptureFailure, badToken } from './failure.js';
import { type BodyEvents } from './body-events.js';
import { type CaptureSender } from './senders.js';
import { type Request } from 'express';
import { readRawBody } from '../../platform/http/raw-body.js';
import { maxBatchBytes } from '../../kernel/event-log/normalise/limits.js';

interface CaptureOptions {
  readonly now: Date;
  /** True for requests to /engage, where an event without a name is a `$identify`. */
  readonly engage: boolean;
  readonly sender: CaptureSender;
  readonly dialect?: Dialect;
}

@Injectable()
export class CaptureService {
  constructor(
    private readonly tokens: ProjectTokens,
    private readonly log: GroupCommit,
    private readonly limits: CaptureLimits,
    private readonly counts: IngestionCounts,
    private readonly salts: CookielessSalts,
  ) {}

  /** Captures the events of a request. When this resolves, every event has a verdict, and all accepted events are committed. */
  async capture(request: CaptureRequest, options: CaptureOptions): Promise<CaptureReplyDto> {
    const { verdict, rejected, warnings } = await this.take(request, options);
    return replyOf(verdict, rejected, warnings);
  }

  /** Captures like `capture`, and adds a result for each uuid, as the newest protocol of the SDKs expects. */
  async captureWithResults(request: CaptureRequest, options: CaptureOptions): Promise<CaptureResultsDto> {
    const { verdict, events, rejected, warnings } = await this.take(request, options);
    const results = Object.fromEntries<ResultDto>([
      ...events.map(({ uuid }) => [uuid, { result: 'ok' }] as const),
      ...rejected.flatMap(({ uuid, detail }) =>
        uuid === null ? [] : [[uuid, { result: 'drop', details: detail }] as const],
      ),
    ]);
    return { ...replyOf(verdict, rejected, warnings), results };
  }

  /** Writes the events, and counts their outcomes once the project is known. */
  private async take(request: CaptureRequest, options: CaptureOptions) {
    const { project, opened } = await this.open(request, options);
    const { id: projectId } = project;
    const { now, dialect = posthogDialect } = options;
    const taken = await this.write(project, opened, options).catch((error: unknown) => {
      // The project was deleted after the look-up of its token, so the token counts as unknown.
      if (isOfDeletedProject(error)) throw problemOfCapture(badToken(unknownToken, dialect.tokenField));
      this.counts.refused(projectId, opened.events, error, now);
      throw error;
    });
    this.counts.took(projectId, taken, now);
    if (taken.events.length === 0) throw allRejected(taken.rejected, opened.isTooLarge ? 413 : 400);
    return taken;
  }

  /**
   * Finds the project before any event is parsed, so that a body without a valid token costs no more than the search for the
   * token.
   */
  private async open(request: CaptureRequest, options: CaptureOptions) {
    const { dialect = posthogDialect } = options;
    const opened = await duringUnpacking((admission) => open(request, admission, dialect));
    if (!opened.ok) throw problemOfCapture(opened);
    const project = await this.tokens.find(opened.token, options.sender.beforeLookup);
    if (project === null) throw problemOfCapture(badToken(unknownToken, dialect.tokenField));
    options.sender.onProject(project.id);
    return { project, opened };
  }

  private async write(project: TokenProject, opened: BodyEvents, options: CaptureOptions) {
    const { id: projectId } = project;
    const { sender } = options;
    const protection = await sender.protection(project);
    this.limits.take(projectId, opened.events);
    const visitors = project.cookielessVisitors
      ? { ...sender.visitor(), projectId, salt: await this.salts.of(options.now) }
      : null;
    const judged = await duringReading(projectId, opened.bytes, () => judge(opened, { visitors, protection }, options));
    return { ...judged, verdict: await this.log.add(projectId, judged.events, options.now) };
  }
}

const unknownToken = 'The project token is unknown: send the api_token of a project, as GET /api/projects shows it';

const replyOf = (
  verdict: Verdict,
  rejected: EventRejection[],
  warnings: readonly CaptureWarningDto[],
): CaptureReplyDto => ({
  status: 1,
  ...verdict,
  rejected,
  ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
});

/** The answer lists this many warnings. A faulty client repeats one warning for every event, so the first few are enough. */
const maxWarnings = 10;

const judge = async (
  opened: BodyEvents,
  project: Pick<NormaliseContext, 'visitors' | 'protection'>,
  { now, engage, dialect = posthogDialect }: CaptureOptions,
) => {
  const { normalise } = dialect;
  const events: LoggableEvent[] = [];
  const rejected: EventRejection[] = [];
  const warnings: CaptureWarningDto[] = [];
  let library: Library | null = null;
  const failure = await opened.read(async (chunk, { sentAt }) => {
    if ('rejection' in chunk) {
      rejected.push(chunk.rejection);
      return;
    }
    for (const [nth, raw] of chunk.rawEvents.entries()) {
      if (chunk.isHeavy) await yieldToEventLoop();
      const index = chunk.first + nth;
      const normalised = normalise(raw, { now, sentAt, index, engage, ...project });
      if (chunk.isHeavy) await yieldToEventLoop();
      if (!normalised.ok) {
        rejected.push(normalised.rejection);
        continue;
      }
      const { event } = normalised;
      // The first event names the library for all, because one client sends all events of a request.
      if (events.length === 0) library = libraryOf(event.properties);
      events.push(loggable(event));
      if (event.warnings.length > 0 && warnings.length < maxWarnings) {
        warnings.push(...event.warnings.map(({ type, detail }) => ({ index, uuid: event.uuid, type, detail })));
      }
    }
  });
  if (failure) throw problemOfCapture(failure);
  return { events, rejected, warnings, library: library as Library | null };
};

const typeOf = { 400: 'validation_error', 401: 'authentication_error', 413: 'invalid_request' } as const;

export const problemOfCapture = ({ status, code, detail, attr }: CaptureFailure): Problem =>
  new Problem(status, typeOf[status], code, detail, attr);

const allRejected = (rejected: readonly EventRejection[], status: 400 | 413): Problem => {
  const [first] = rejected;
  return new Problem(
    status,
    typeOf[status],
    first?.code ?? 'invalid_input',
    `No event was accepted; the first was refused because ${first?.detail}`,
    first ? `batch.${first.index}` : null,
    {},
    { accepted: 0, duplicates: 0, rejected },
  );
};

export const captureRequest = async (request: Request): Promise<CaptureRequest> => ({
  method: request.method,
  query: new URL(request.originalUrl, 'http://localhost').searchParams,
  headers: request.headers,
  body: request.method === 'POST' ? await readRawBody(request, maxBatchBytes) : Buffer.alloc(0),
});
