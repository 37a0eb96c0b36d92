import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { type Request, type Response } from 'express';
import { type Pool } from 'pg';
import { type Observable } from 'rxjs';
import { type DataSource } from 'typeorm';
import { contextOf } from '../common/http/request-context.js';
import { LOGGER, type Logger } from '../common/logging/logger.js';
import { pgPool } from '../stores/postgres/pool.js';
import { inTransaction } from '../stores/postgres/transaction.js';
import { type Activity, recordActivity } from './record-activity.js';

const prefix = '/api/projects/:project_id/';

/**
 * Each CSV answer of a project leaves an entry, whichever route it comes from. It is written when the answer ends, since
 * only then it is known whether there was one; parameters are left out, because a search may name a person.
 */
@Injectable()
export class RecordExports implements NestInterceptor {
  private readonly pool: Pool;

  constructor(
    @InjectDataSource() dataSource: DataSource,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.pool = pgPool(dataSource);
  }

  intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const response = http.getResponse<Response>();
    if (contextOf(request).project !== null) response.once('close', () => void this.closed(request, response));
    return next.handle();
  }

  private async closed(request: Request, response: Response): Promise<void> {
    const { caller, project, requestId, now } = contextOf(request);
    const isCsv = response.headersSent && String(response.get('Content-Type')).startsWith('text/csv');
    if (!isCsv || response.statusCode !== 200 || !caller || !project) return;
    const entry = exportOf(request, response.writableFinished);
    try {
      await inTransaction(this.pool, (client) =>
        recordActivity(client, project, entry, { userId: caller.userId, requestId, now }),
      );
    } catch (error) {
      this.logger.error({ request_id: requestId, err: error }, 'an export could not be written into the activity log');
    }
  }
}

const exportOf = (request: Request, isComplete: boolean): Activity => {
  const { path } = request.route as { path: string };
  return {
    scope: 'Export',
    itemId: path.slice(path.indexOf(prefix) + prefix.length),
    activity: 'exported',
    name: `${request.method} ${path}`,
    changes: [
      { type: 'Export', action: 'exported', field: null, before: null, after: { format: 'csv', complete: isComplete } },
    ],
  };
};
