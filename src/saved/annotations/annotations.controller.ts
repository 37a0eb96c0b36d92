import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope } from '../../kernel/access/access.js';
import { type Author } from '../../kernel/access/author.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { updateOrDelete } from '../../platform/http/deleted-field.js';
import { type Page, PageDto, pageOf } from '../../platform/http/page.dto.js';
import { RecordId, RecordIdParam } from '../record-id.js';
import { AnnotationDto, AnnotationsQuery, CreateAnnotationBody, UpdateAnnotationBody } from './annotation.dto.js';
import { AnnotationsRepository } from './annotations.repository.js';
import { AnnotationsService, maxAnnotations } from './annotations.service.js';

@ApiTags('Saved')
@Controller('api/projects/:project_id/annotations')
export class AnnotationsController {
  constructor(
    private readonly rows: AnnotationsRepository,
    private readonly annotations: AnnotationsService,
  ) {}

  @Get()
  @RequiresScope('annotation:read')
  @ApiOperation({ operationId: 'listAnnotations', summary: 'Annotations, latest moment first' })
  @ApiOkResponse({ type: PageDto(AnnotationDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: AnnotationsQuery,
    @Now() now: Date,
  ): Promise<Page<AnnotationDto>> {
    return pageOf(request, query, await this.rows.list(project, query, now));
  }

  @Post()
  @RequiresScope('annotation:write')
  @Idempotent()
  @ApiOperation({
    operationId: 'createAnnotation',
    summary: 'Note what happened at a moment, such as a release; charts over time show it',
    description: `A project with ${maxAnnotations} annotations has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: AnnotationDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateAnnotationBody,
    @CurrentAuthor() author: Author,
  ): Promise<AnnotationDto> {
    return this.annotations.create(project, body, author);
  }

  @Get(':id')
  @RequiresScope('annotation:read')
  @RecordIdParam('annotation')
  @ApiOperation({ operationId: 'getAnnotation', summary: 'One annotation' })
  @ApiOkResponse({ type: AnnotationDto })
  get(@CurrentProject() project: ProjectContext, @RecordId('annotation') id: number): Promise<AnnotationDto> {
    return this.rows.get(project, id);
  }

  @Patch(':id')
  @RequiresScope('annotation:write')
  @RecordIdParam('annotation')
  @ApiOperation({ operationId: 'updateAnnotation', summary: 'Change an annotation' })
  @ApiOkResponse({ type: AnnotationDto })
  update(
    @CurrentProject() project: ProjectContext,
    @RecordId('annotation') id: number,
    @Body() body: UpdateAnnotationBody,
    @CurrentAuthor() author: Author,
  ): Promise<AnnotationDto> {
    return updateOrDelete(body, {
      get: () => this.get(project, id),
      remove: () => this.remove(project, id, author),
      update: () => this.annotations.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('annotation:write')
  @RecordIdParam('annotation')
  @ApiOperation({ operationId: 'deleteAnnotation', summary: 'Delete an annotation' })
  @ApiNoContentResponse({ description: 'The annotation is deleted.' })
  remove(
    @CurrentProject() project: ProjectContext,
    @RecordId('annotation') id: number,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.annotations.delete(project, id, author);
  }
}
