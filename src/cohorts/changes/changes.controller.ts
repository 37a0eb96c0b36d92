import { applyDecorators, Controller, Get, Query, Req, Res, type Type } from '@nestjs/common';
import { ApiExtraModels, ApiHeader, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { CohortId, CohortIdParam } from '../../kernel/memberships/cohort-id.js';
import {
  ChangesQuery,
  CohortChangeDto,
  CohortChangesDto,
  CohortGroupChangeDto,
  CohortGroupChangesDto,
} from './changes.dto.js';
import { ChangesService } from './changes.service.js';

/** The answer, in each `format`: a page of changes, or one change after the other. */
const ApiChanges = (page: Type<unknown>, change: Type<unknown>): MethodDecorator =>
  applyDecorators(
    ApiExtraModels(page, change),
    ApiHeader({
      name: 'Last-Event-ID',
      required: false,
      description: 'As `after`, as browsers send it.',
      schema: { type: 'string' },
    }),
    ApiOkResponse({
      description: 'In the requested `format`.',
      headers: {
        'X-Cursor': {
          description: 'Of NDJSON: the cursor after all lines, as JSON has it in `cursor`.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/json': { schema: { $ref: getSchemaPath(page) } },
        'application/x-ndjson': {
          schema: { type: 'string', description: `One \`${change.name}\` in each line.` },
        },
        'text/event-stream': {
          schema: {
            type: 'string',
            contentMediaType: 'text/event-stream',
            contentSchema: { $ref: getSchemaPath(change) },
          } as object,
        },
      },
    }),
  );

@ApiTags('Cohorts')
@Controller('api/projects/:project_id/cohorts')
export class ChangesController {
  constructor(private readonly changes: ChangesService) {}

  @Get(':id/changes')
  @RequiresScope('cohort:read', 'person:read')
  @CohortIdParam()
  @ApiOperation({
    operationId: 'listCohortChanges',
    summary: 'Who entered and left a cohort',
    description:
      'Every change once, in order, for a reader that keeps the cursor. Without `after`, the answer lists the members of now, and its cursor continues with the changes after them. ' +
      'Changes are kept for 90 days; an older cursor is a 400. When a person is merged, it leaves, and the person into which it was merged enters if it was not in the cohort. ' +
      'A stream ends after an hour and when the key is revoked; clients resume it by `Last-Event-ID`.',
  })
  @ApiChanges(CohortChangesDto, CohortChangeDto)
  list(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() query: ChangesQuery,
  ): Promise<void> {
    return this.changes.send(request, response, project, id, query, 'persons');
  }

  @Get(':id/group_changes')
  @RequiresScope('cohort:read', 'group:read')
  @CohortIdParam()
  @ApiOperation({
    operationId: 'listCohortGroupChanges',
    summary: 'Which groups entered and left a cohort of groups',
    description: 'As `changes` of a cohort of persons. A group that is deleted leaves.',
  })
  @ApiChanges(CohortGroupChangesDto, CohortGroupChangeDto)
  listOfGroups(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() query: ChangesQuery,
  ): Promise<void> {
    return this.changes.send(request, response, project, id, query, 'groups');
  }
}
