import { Controller, Get, Param, Query, Req } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type Page, PageDto, PageQuery, cursorPageOf, pageOf } from '../../platform/http/page.dto.js';
import { WarnedPageDto, type WarnedPage } from '../../filters/warnings/question-warning.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { PropertyValues } from '../../persons/values/property-values.js';
import { EventPropertyValuesQuery, PropertyValueDto } from '../../persons/values/values.dto.js';
import { EventDto, EventNameDto, EventNamesQuery, EventsQuery, IngestionWarningDto } from './event.dto.js';
import { EventsService, eventKeyOf } from './events.service.js';

@ApiTags('Events')
@Controller('api/projects/:project_id')
export class EventsController {
  constructor(
    private readonly events: EventsService,
    private readonly propertyValues: PropertyValues,
  ) {}

  @Get('events')
  @RequiresScope('event:read')
  @ApiOperation({ operationId: 'listEvents', summary: 'Events, newest first' })
  @ApiOkResponse({ type: WarnedPageDto(EventDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: EventsQuery,
    @Now() now: Date,
  ): Promise<WarnedPage<EventDto>> {
    const cursor = this.events.cursorOf(query);
    const { warnings, ...slice } = await this.events.list(project, query, cursor, now);
    const page = cursorPageOf(request, query, cursor, slice, eventKeyOf, (event) => event);
    return { ...page, ...(warnings.length > 0 && { warnings }) };
  }

  @Get('events/names')
  @RequiresScope('event:read')
  @ApiOperation({ operationId: 'listEventNames', summary: 'Event names with their counts, most frequent first' })
  @ApiOkResponse({ type: PageDto(EventNameDto) })
  async names(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: EventNamesQuery,
    @Now() now: Date,
  ): Promise<Page<EventNameDto>> {
    return pageOf(request, query, await this.events.names(project, query, now));
  }

  @Get('events/values')
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'listEventPropertyValues',
    summary: 'Values of a property of events, most frequent first',
    description: 'The same as `GET persons/values?type=event`.',
  })
  @ApiOkResponse({ type: PageDto(PropertyValueDto) })
  async values(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: EventPropertyValuesQuery,
    @Now() now: Date,
  ): Promise<Page<PropertyValueDto>> {
    return pageOf(request, query, await this.propertyValues.list(project, { ...query, type: 'event' }, now));
  }

  @Get('events/:uuid')
  @RequiresScope('event:read')
  @ApiParam({ name: 'uuid', format: 'uuid' })
  @ApiOperation({ operationId: 'getEvent', summary: 'One event' })
  @ApiOkResponse({ type: EventDto })
  get(@CurrentProject() project: ProjectContext, @Param('uuid') uuid: string): Promise<EventDto> {
    return this.events.get(project, uuid);
  }

  @Get('ingestion_warnings')
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'listIngestionWarnings',
    summary: 'Warnings about events that capture altered or read in part, newest first',
  })
  @ApiOkResponse({ type: PageDto(IngestionWarningDto) })
  async warnings(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() page: PageQuery,
  ): Promise<Page<IngestionWarningDto>> {
    return pageOf(request, page, await this.events.warnings(project, page));
  }
}
