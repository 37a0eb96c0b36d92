import { type Request, type Response } from 'express';
import { contextOf } from '../platform/http/request-context.js';
import { sendOffsetList } from '../platform/csv/send-list.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { AuditTrail, auditSubject } from './trail/audit-trail.js';
import { AuditEntryDto, AuditQuery } from './audit.dto.js';
import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { jsonOrCsv } from '../platform/csv/format.dto.js';
import { PageDto } from '../platform/http/page.dto.js';

const sendAudit = async (
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

const AuditPage = PageDto(AuditEntryDto);

@ApiTags('Projects')
@Controller('api/projects/:project_id/audit')
export class AuditController {
  constructor(private readonly trail: AuditTrail) {}

  @Get()
  @RequiresScope('activity_log:read')
  @ApiOperation({
    operationId: 'listAuditTrail',
    summary: 'Who has read personal data of a project, newest first',
    description:
      'Empty unless `audit_reads` of the project is on. Then every admitted request to persons, events, SQL and saved answers leaves an ' +
      'entry, which is committed before anything is sent, and is kept for 90 days. An entry has no values: no properties, no ' +
      'searches, no text of questions.',
  })
  @ApiExtraModels(AuditPage)
  @ApiOkResponse({
    ...jsonOrCsv({ $ref: getSchemaPath(AuditPage) }),
    description: 'A page of entries, newest first; with `format=csv` a table of all entries, `text/csv`.',
  })
  list(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: AuditQuery,
  ): Promise<void> {
    return sendAudit(request, response, this.trail, project, query);
  }
}
