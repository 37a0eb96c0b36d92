import { type Request, type Response } from 'express';
import { pageOffset } from '../activity/send-activity.js';
import { type CsvRow, sendCsv } from '../common/csv/csv.js';
import { contextOf } from '../common/http/request-context.js';
import { pageOf } from '../common/pagination/page.js';
import { type ProjectContext } from '../common/project-context.js';
import { auditSubject, type AuditTrail } from './audit-trail.js';
import { type AuditEntryDto, type AuditQuery } from './audit.dto.js';

/** Sends a page as JSON. CSV contains all entries, unless the request names a limit. */
export const sendAudit = async (
  request: Request,
  response: Response,
  trail: AuditTrail,
  project: ProjectContext,
  query: AuditQuery,
): Promise<void> => {
  const { limit } = query;
  const subject = auditSubject(query, project, contextOf(request).now);
  const offset = pageOffset(query);
  if (query.format === 'csv') {
    const isPage = request.query.limit !== undefined || query.page !== undefined;
    const entries = isPage
      ? (await trail.page(project, subject, { limit, offset })).results
      : trail.walk(project, subject, offset);
    await sendCsv(response, 'audit.csv', csvColumns, csvRows(entries));
    return;
  }
  const slice = await trail.page(project, subject, { limit, offset });
  const pageAt = (at: number) => ({ ...(query.page !== undefined && { page: at / limit + 1 }) });
  response.json(pageOf(request, { limit, offset }, slice, pageAt));
};

const csvColumns = [
  'id',
  'created_at',
  'user_id',
  'user_email',
  'key_id',
  'operation',
  'ids',
  'ended_at',
  'status',
  'rows',
  'complete',
  'request_id',
];

async function* csvRows(entries: AsyncIterable<AuditEntryDto> | Iterable<AuditEntryDto>): AsyncGenerator<CsvRow> {
  for await (const {
    id,
    created_at,
    user,
    key_id,
    operation,
    ids,
    ended_at,
    status,
    rows,
    complete,
    request_id,
  } of entries)
    yield [id, created_at, user.id, user.email, key_id, operation, ids, ended_at, status, rows, complete, request_id];
}
