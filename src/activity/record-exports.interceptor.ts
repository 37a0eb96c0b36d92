import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { type Observable } from 'rxjs';
import { contextOf } from '../common/http/request-context.js';
import { LOGGER, type Logger } from '../common/logging/logger.js';
import { type Activity, recordActivity } from './record-activity.js';
import { Postgres } from '../stores/postgres/postgres.js';

const prefix = '/api/projects/:project_id/';

/**
 * Every CSV, NDJSON or Parquet answer of a project leaves an entry, whichever route sends it. The entry is written when the answer ends, because
 * only then it is certain that a file was sent. Parameters are left out, because a search may name a person.
 */
@Injectable()
export class RecordExports implements NestInterceptor {
  constructor(
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (contextOf(request).project !== null) response.once('close', () => void this.closed(request, response));
    return next.handle();
  }

  private async closed(request: Request, response: Response): Promise<void> {
    const { caller, project, requestId, now } = contextOf(request);
    const type = String(response.get('Content-Type')).split(';', 1)[0] ?? '';
    const format = response.headersSent && Object.hasOwn(formats, type) ? formats[type] : undefined;
    if (format === undefined || response.statusCode !== 200 || !caller || !project) return;
    const entry = exportOf(request, format, response.writableFinished);
    try {
      await this.postgres.transaction((client) =>
        recordActivity(client, project, entry, { userId: caller.userId, requestId, now }),
      );
    } catch (error) {
      this.logger.error({ request_id: requestId, err: error }, 'an export could not be written into the activity log');
    }
  }
}

/** The answers that are files of records. */
const formats: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
};

const exportOf = (request: Request, format: string, isComplete: boolean): Activity => {
  const { path } = request.route as { path: string };
  return {
    scope: 'Export',
    itemId: path.slice(path.indexOf(prefix) + prefix.length),
    activity: 'exported',
    name: `${request.method} ${path}`,
    changes: [
      { type: 'Export', action: 'exported', field: null, before: null, after: { format, complete: isComplete } },
    ],
  };
};
