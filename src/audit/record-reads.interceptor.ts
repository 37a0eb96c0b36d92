import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { from, mergeMap, type Observable } from 'rxjs';
import { uuidv7 } from 'uuidv7';
import { hasPersonalData } from '../common/access/personal-data.js';
import { callerOf, contextOf } from '../common/http/request-context.js';
import { sentRowsOf } from '../common/http/sent-rows.js';
import { LOGGER, type Logger } from '../common/logging/logger.js';
import { type ProjectContext } from '../common/project-context.js';
import { Postgres } from '../stores/postgres/postgres.js';
import { type BegunEntry, completeEntry, insertEntry } from './audit-rows.js';
import { idsOf, operationOf } from './named-in-request.js';
import { OpenEndings } from './open-endings.js';

/**
 * Records each request with personal data in a project that wants it. The entry is committed before the work begins, so that
 * nothing is sent without it, even when the process is killed: without a database there is no answer. It is completed before an
 * answer is sent that the handler returns, and behind one that it sends itself.
 */
@Injectable()
export class RecordReadsInterceptor implements NestInterceptor {
  constructor(
    private readonly postgres: Postgres,
    private readonly endings: OpenEndings,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const { project } = contextOf(request);
    if (!project?.auditReads || !hasPersonalData(host.getHandler())) return next.handle();
    return from(this.record(host, project, request, http.getResponse<Response>(), next)).pipe(
      mergeMap((answer) => answer),
    );
  }

  private async record(
    host: ExecutionContext,
    project: ProjectContext,
    request: Request,
    response: Response,
    next: CallHandler,
  ): Promise<Observable<unknown>> {
    const entry = entryOf(project, request, operationOf(host.getHandler()));
    await insertEntry(this.postgres, entry);
    let ending: Promise<void> | null = null;
    const end = (rows: number | null, isComplete: boolean, status: number | null): Promise<void> =>
      (ending ??= this.endings.begin(() => this.complete(entry, rows, isComplete, status)));
    const closed = () =>
      void end(sentRowsOf(request), response.writableFinished, response.headersSent ? response.statusCode : null);
    if (response.closed) closed();
    else response.once('close', closed);
    return next.handle().pipe(
      mergeMap(async (answer: unknown) => {
        if (!response.headersSent) await end(rowsIn(answer), true, response.statusCode);
        return answer;
      }),
    );
  }

  /** The entry that was committed stays when this fails, without an end. */
  private async complete(
    entry: BegunEntry,
    rows: number | null,
    isComplete: boolean,
    status: number | null,
  ): Promise<void> {
    const endedAt = this.postgres.clock.now();
    await completeEntry(this.postgres, entry, { endedAt, rows, isComplete, status }).catch((error: unknown) => {
      this.logger.error(
        { request_id: entry.requestId, err: error },
        'an entry of the audit trail could not be completed',
      );
    });
  }
}

const entryOf = (project: ProjectContext, request: Request, operation: string): BegunEntry => {
  const { requestId, now } = contextOf(request);
  const { userId, keyId } = callerOf(request);
  const projectId = project.id;
  return { projectId, id: uuidv7(), userId, keyId, operation, ids: idsOf(request), requestId, createdAt: now };
};

/** The number of records in a list that a handler returns. */
const rowsIn = (answer: unknown): number | null =>
  typeof answer === 'object' && answer !== null && 'results' in answer && Array.isArray(answer.results)
    ? answer.results.length
    : null;
