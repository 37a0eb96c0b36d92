import { type Request, type Response } from 'express';
import { type CsvRow, sendCsv } from '../common/csv/csv.js';
import { invalidInput } from '../common/errors/problem.js';
import { pageOf } from '../common/pagination/page.js';
import { type ActivityEntryDto, type ActivityQuery } from './activity.dto.js';
import { type ActivityLog, type ActivitySubject } from './activity-log.js';
import { type ActivityOwner } from './record-activity.js';

/** Sends a page as JSON. CSV contains all entries, unless the request names a limit. */
export const sendActivity = async (
  request: Request,
  response: Response,
  log: ActivityLog,
  owner: ActivityOwner,
  subject: ActivitySubject,
  query: ActivityQuery,
): Promise<void> => {
  const { limit } = query;
  const offset = pageOffset(query);
  if (query.format === 'csv') {
    const isPage = request.query.limit !== undefined || query.page !== undefined;
    const entries = isPage
      ? (await log.page(owner, subject, { limit, offset })).results
      : log.walk(owner, subject, offset);
    await sendCsv(
      response,
      `${(subject.scope ?? ('id' in owner ? 'project' : 'account')).toLowerCase()}-activity.csv`,
      csvColumns,
      csvRows(entries),
    );
    return;
  }
  const slice = await log.page(owner, subject, { limit, offset });
  const pageAt = (at: number) => ({ ...(query.page !== undefined && { page: at / limit + 1 }) });
  response.json(pageOf(request, { limit, offset }, slice, pageAt));
};

/** A page number stands for an offset; both together must agree. */
export const pageOffset = ({ limit, offset, page }: ActivityQuery): number => {
  if (page === undefined) return offset ?? 0;
  const begin = (page - 1) * limit;
  if (offset !== undefined && offset !== begin) {
    throw invalidInput(
      `page ${page} begins at offset ${begin}, not ${offset}: send only one of page and offset`,
      'page',
    );
  }
  return begin;
};

const csvColumns = [
  'id',
  'created_at',
  'user_id',
  'user_email',
  'activity',
  'scope',
  'item_id',
  'request_id',
  'name',
  'changes',
];

async function* csvRows(entries: AsyncIterable<ActivityEntryDto> | Iterable<ActivityEntryDto>): AsyncGenerator<CsvRow> {
  for await (const { id, created_at, user, activity, scope, item_id, request_id, detail } of entries) {
    yield [id, created_at, user.id, user.email, activity, scope, item_id, request_id, detail.name, detail.changes];
  }
}
