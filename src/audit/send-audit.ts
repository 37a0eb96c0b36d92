import { type Request, type Response } from 'express';
import { contextOf } from '../platform/http/request-context.js';
import { sendOffsetList } from '../platform/csv/send-list.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { auditSubject, type AuditTrail } from './trail/audit-trail.js';
import { type AuditQuery } from './audit.dto.js';

export const sendAudit = async (
  request: Request,
  response: Response,
  trail: AuditTrail,
  project: ProjectContext,
  query: AuditQuery,
): Promise<void> => {
  const subject = auditSubject(query, project, contextOf(request).now);
  await sendOffsetList(request, response, query, {
    page: (page) => trail.page(project, subject, page),
    all: (offset) => trail.walk(project, subject, offset),
    filename: 'audit.csv',
    columns: [
      'id',
      'created_at',
      ['user_id', ({ user }) => user.id],
      ['user_email', ({ user }) => user.email],
      'key_id',
      'operation',
      'ids',
      'ended_at',
      'status',
      'rows',
      'complete',
      'request_id',
    ],
  });
};
