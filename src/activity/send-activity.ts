import { type Request, type Response } from 'express';
import { sendOffsetList } from '../platform/csv/send-list.js';
import { type ActivityQuery } from './activity.dto.js';
import { type ActivityRepository, type ActivitySubject } from './log/activity.repository.js';
import { type ActivityOwner } from '../kernel/activity/record-activity.js';

export const sendActivity = (
  request: Request,
  response: Response,
  log: ActivityRepository,
  owner: ActivityOwner,
  subject: ActivitySubject,
  query: ActivityQuery,
): Promise<void> =>
  sendOffsetList(request, response, query, {
    page: (page) => log.page(owner, subject, page),
    all: (offset) => log.walk(owner, subject, offset),
    filename: `${(subject.scope ?? ('id' in owner ? 'project' : 'account')).toLowerCase()}-activity.csv`,
    columns: [
      'id',
      'created_at',
      ['user_id', ({ user }) => user.id],
      ['user_email', ({ user }) => user.email],
      'activity',
      'scope',
      'item_id',
      'request_id',
      ['name', ({ detail }) => detail.name],
      ['changes', ({ detail }) => detail.changes],
    ],
  });
