import { Inject, Injectable } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { admittedContextOf } from '../../kernel/access/access.js';
import { atEnd } from '../../platform/http/request-context.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { type Activity, recordActivity } from '../../kernel/activity/record-activity.js';
import { Postgres } from '../../platform/postgres/postgres.js';

const prefix = '/api/projects/:project_id/';

/** The formats in which a project sends data as files. */
const formats: Readonly<Record<string, string>> = {
  'text/csv': 'csv',
  'application/x-ndjson': 'ndjson',
  'application/vnd.apache.parquet': 'parquet',
};

/**
 * Returns the format of a file; undefined for other answers. The document of a person is JSON like ordinary answers, so it is
 * recognised by its path.
 */
const formatOf = (path: string, response: Response): string | undefined => {
  const type = String(response.get('Content-Type')).split(';', 1)[0] ?? '';
  return formats[type] ?? (path.endsWith('/export') ? 'json' : undefined);
};

/**
 * Records every file that a project sends, whichever route sends it. The entry is written when the answer ends, because only then
 * is it certain that a file was sent. Parameters are left out, because a search may name a person.
 */
@Injectable()
export class ExportRecorder {
  constructor(
    private readonly postgres: Postgres,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  readonly middleware = (request: Request, response: Response, next: NextFunction): void => {
    atEnd(response, () => void this.ended(request, response));
    next();
  };

  private async ended(request: Request, response: Response): Promise<void> {
    const { caller, project, requestId, now } = admittedContextOf(request);
    if (!caller || !project || response.statusCode !== 200 || !response.headersSent) return;
    const format = formatOf((request.route as { path: string }).path, response);
    if (format === undefined) return;
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
