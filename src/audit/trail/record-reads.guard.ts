import { type Request, type Response } from 'express';
import { isBigId, isUuid } from '../../platform/values/ids.js';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { hasPersonalData } from '../../kernel/access/personal-data.js';
import { admittedContextOf, callerOf } from '../../kernel/access/access.js';
import { atEnd, contextOf } from '../../platform/http/request-context.js';
import { sentRowsOf } from '../../platform/http/compression.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Postgres } from '../../platform/postgres/postgres.js';
import { type OpenEntry, completeEntry, insertEntry } from './audit.repository.js';
import { PendingCompletions } from './pending-completions.js';

/** Returns the `operationId` of a handler in the OpenAPI document. */
const operationOf = (handler: object): string => {
  const { operationId } = Reflect.getMetadata('swagger/apiOperation', handler) as { readonly operationId: string };
  return operationId;
};

/** The parameters of the query that name one person or cohort. */
const idParameters = ['person_id', 'cohort', 'cohort_id'];

const isId = (value: unknown): value is string => typeof value === 'string' && (isBigId(value) || isUuid(value));

/**
 * Returns the ids in the URL of a request, by the names of their parameters. Other texts are left out: a distinct id or a search
 * may contain an e-mail address, and an entry outlives the person.
 */
const idsOf = ({ params, query }: Request): Readonly<Record<string, string>> => {
  const named = Object.entries(params).filter(([name]) => name !== 'project_id');
  const requested = idParameters.map((name) => [name, query[name]] as const);
  return Object.fromEntries([...named, ...requested].filter((pair): pair is [string, string] => isId(pair[1])));
};

/**
 * Records each request for personal data, in a project that records them. The entry is committed before the work starts, so that
 * nothing is sent without an entry, even if the process is killed; without a database there is no answer. If the handler returns
 * the answer, the entry is completed before it is sent; if the handler sends it, afterwards.
 */
@Injectable()
export class RecordReadsGuard implements CanActivate {
  constructor(
    private readonly postgres: Postgres,
    private readonly endings: PendingCompletions,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const { project } = admittedContextOf(request);
    if (!project?.auditReads || !hasPersonalData(host.getHandler())) return true;
    return this.record(operationOf(host.getHandler()), project, request, http.getResponse<Response>());
  }

  private async record(
    operation: string,
    project: ProjectContext,
    request: Request,
    response: Response,
  ): Promise<true> {
    const entry = entryOf(project, request, operation);
    await insertEntry(this.postgres, entry);
    let ending: Promise<void> | null = null;
    const end = (rows: number | null, isComplete: boolean, status: number | null): Promise<void> =>
      (ending ??= this.endings.track(() => this.complete(entry, rows, isComplete, status)));
    atEnd(response, () => {
      void end(sentRowsOf(request), response.writableFinished, response.headersSent ? response.statusCode : null);
    });
    contextOf(request).beforeAnswer.push(async (answer) => {
      await end(rowsIn(answer), true, response.statusCode);
      return answer;
    });
    return true;
  }

  /** Completes an entry. If this fails, the committed entry stays without an end. */
  private async complete(
    entry: OpenEntry,
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

const entryOf = (project: ProjectContext, request: Request, operation: string): OpenEntry => {
  const { requestId, now } = contextOf(request);
  const { userId, keyId } = callerOf(request);
  const projectId = project.id;
  return { projectId, id: uuidv7(), userId, keyId, operation, ids: idsOf(request), requestId, createdAt: now };
};

/** Returns the number of records in a list that a handler returns; null for other answers. */
const rowsIn = (answer: unknown): number | null =>
  typeof answer === 'object' && answer !== null && 'results' in answer && Array.isArray(answer.results)
    ? answer.results.length
    : null;
