import { applyDecorators, Controller, Get, Param, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProduces, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { PersonIdParam } from '../persons/person-format.guard.js';
import { personRef } from '../kernel/identity/person-ref.js';
import { ExportEventsQuery, ExportGroupsQuery, ExportPersonsQuery } from './export.query.js';
import { ExportsService } from './exports.service.js';
import { PersonDocumentDto } from './persons/person-document.dto.js';
import { PersonDocuments } from './persons/person-documents.js';

const ApiExport = (): MethodDecorator =>
  applyDecorators(
    ApiProduces('application/x-ndjson', 'text/csv', 'application/vnd.apache.parquet'),
    ApiOkResponse({
      description: 'In the requested `format`.',
      headers: {
        Link: {
          description: 'Of a Parquet file that may not be the last: the URL of the next, with `rel="next"`.',
          schema: { type: 'string' },
        },
      },
      content: {
        'application/x-ndjson': { schema: { type: 'string' } },
        'text/csv': { schema: { type: 'string' } },
        'application/vnd.apache.parquet': { schema: { type: 'string', format: 'binary' } },
      },
    }),
  );

@ApiTags('Events')
@Controller('api/projects/:project_id')
export class EventExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get('export/events')
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'exportEvents',
    summary: 'All events, as a file',
    description:
      'NDJSON is in the order of uuids, the other formats in the order of time. A line of NDJSON says `"changes_persons": false`, because ' +
      'the exported persons and groups have what the event did to them, with every merge and split since: import these files, too. In CSV and Parquet ' +
      '`person_id` is the person to whom the event belongs now, and `properties` is one JSON text, without nulls. An event that arrives during an export may be missing in it. A client that reads nothing for half a minute is disconnected.',
  })
  @ApiExport()
  events(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ExportEventsQuery,
    @Now() now: Date,
  ): Promise<void> {
    return this.exports.send(request, response, project, 'events', query, now);
  }
}

@ApiTags('Persons')
@Controller('api/projects/:project_id')
export class PersonExportsController {
  constructor(
    private readonly exports: ExportsService,
    private readonly documents: PersonDocuments,
  ) {}

  @Get('export/persons')
  @RequiresScope('person:read')
  @ApiOperation({
    operationId: 'exportPersons',
    summary: 'All persons, as a file',
    description:
      'In the order of ids. NDJSON has all distinct ids, in several lines when a person has more than a hundred; CSV and Parquet have the first hundred. ' +
      'A client that reads nothing for half a minute is disconnected.',
  })
  @ApiExport()
  persons(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ExportPersonsQuery,
    @Now() now: Date,
  ): Promise<void> {
    return this.exports.send(request, response, project, 'persons', query, now);
  }

  @Get('persons/:id/export')
  @RequiresScope('person:read', 'event:read')
  @PersonIdParam()
  @ApiOperation({
    operationId: 'exportPerson',
    summary: 'Everything that is kept about one person, in one document',
    description:
      'All of one moment: it is read completely before the answer begins. A client that reads nothing for half a minute is disconnected.',
  })
  @ApiOkResponse({ type: PersonDocumentDto })
  person(
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @Now() now: Date,
  ): Promise<void> {
    return this.documents.send(response, project, personRef(id), now);
  }
}

@ApiTags('Groups')
@Controller('api/projects/:project_id')
export class GroupExportsController {
  constructor(private readonly exports: ExportsService) {}

  @Get('export/groups')
  @RequiresScope('group:read')
  @ApiOperation({
    operationId: 'exportGroups',
    summary: 'All groups, as a file',
    description:
      'In the order of ids. A line of NDJSON is the event `$groupidentify` that describes the group, and `import` reads it: import this file after the events. ' +
      'A client that reads nothing for half a minute is disconnected.',
  })
  @ApiExport()
  groups(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: ExportGroupsQuery,
    @Now() now: Date,
  ): Promise<void> {
    return this.exports.send(request, response, project, 'groups', query, now);
  }
}
