import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { GroupId, GroupIdParam } from '../../kernel/groups/group-id.js';
import { ApiJsonOrCsv } from '../../platform/csv/format.dto.js';
import { cursorPageOf } from '../../platform/http/page.dto.js';
import { WarnedPageDto, type WarnedPage } from '../../filters/warnings/question-warning.dto.js';
import { GroupsRepository } from '../../groups/reading/groups.repository.js';
import { PersonsResponder } from '../../persons/list/persons-responder.js';
import { PersonsQuery } from '../../persons/list/persons.query.js';
import { PersonDto } from '../../persons/person.dto.js';
import { EventDto, EventsQuery } from '../log/event.dto.js';
import { EventsService, eventKeyOf } from '../log/events.service.js';
import { ApiRelatedModels, type Related, RelatedQuery, relatedSchema } from './related.dto.js';
import { RelatedService, maxRelated, relatedDays } from './related.service.js';
import { actorsOfGroupSql } from './related.sql.js';

/** Answers from the events of a group. This controller is registered first, because `groups/:id` would capture `groups/related`. */
@ApiTags('Groups')
@Controller('api/projects/:project_id/groups')
export class EventsOfGroupController {
  constructor(
    private readonly relations: RelatedService,
    private readonly groups: GroupsRepository,
    private readonly persons: PersonsResponder,
    private readonly events: EventsService,
  ) {}

  @Get('related')
  @RequiresScope('group:read', 'person:read')
  @ApiRelatedModels()
  @ApiOperation({
    operationId: 'listRelated',
    summary: 'Persons and groups that occur in the same events as a group, or groups as a person',
    description: `Of the last ${relatedDays} days: up to ${maxRelated} persons, then up to ${maxRelated} groups, those with the most events first.`,
  })
  @ApiOkResponse({ schema: relatedSchema })
  related(
    @CurrentProject() project: ProjectContext,
    @Query() query: RelatedQuery,
    @Now() now: Date,
  ): Promise<Related[]> {
    return this.relations.list(project, query, now);
  }

  @Get(':id/persons')
  @RequiresScope('group:read', 'person:read')
  @GroupIdParam()
  @ApiOperation({
    operationId: 'listGroupPersons',
    summary: 'Persons with an event of the group, newest first',
    description: 'All parameters of `persons` combine by AND.',
  })
  @ApiJsonOrCsv(WarnedPageDto(PersonDto))
  async listPersons(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Query() query: PersonsQuery,
    @Now() now: Date,
  ): Promise<void> {
    const members = actorsOfGroupSql(project.id, await this.groups.inQuestion(project, id));
    await this.persons.send(request, response, project, query, now, members);
  }

  @Get(':id/events')
  @RequiresScope('group:read', 'event:read')
  @GroupIdParam()
  @ApiOperation({ operationId: 'listGroupEvents', summary: 'Events of the group, newest first' })
  @ApiOkResponse({ type: WarnedPageDto(EventDto) })
  async listEvents(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Query() query: EventsQuery,
    @Now() now: Date,
  ): Promise<WarnedPage<EventDto>> {
    const group = await this.groups.inQuestion(project, id);
    const cursor = this.events.cursorOf(query);
    const { warnings, ...slice } = await this.events.list(project, query, cursor, now, group);
    const page = cursorPageOf(request, query, cursor, slice, eventKeyOf, (event) => event);
    return { ...page, ...(warnings.length > 0 && { warnings }) };
  }
}
