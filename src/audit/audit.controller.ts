import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { RequiresScope } from '../kernel/access/access.js';
import { jsonOrCsv } from '../platform/csv/format.dto.js';
import { CurrentProject } from '../kernel/access/current-request.js';
import { PageDto } from '../platform/http/page.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { AuditTrail } from './trail/audit-trail.js';
import { AuditEntryDto, AuditQuery } from './audit.dto.js';
import { sendAudit } from './send-audit.js';

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
