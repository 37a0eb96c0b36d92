import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Param,
  Patch,
  type PipeTransform,
  Post,
  Query,
  Req,
} from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentProject, RequiresScope } from '../kernel/access/access.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { updateOrDelete } from '../platform/http/deleted-field.js';
import { type Page, PageDto, pageOf, PageQuery } from '../platform/http/page.dto.js';
import { readSmallId } from '../platform/values/ids.js';
import {
  BatchExportDto,
  BatchExportRunDto,
  CreateBatchExportBody,
  UpdateBatchExportBody,
} from './batch/batch-export.dto.js';
import { BatchExportsRepository, noBatchExport } from './batch/batch-exports.repository.js';
import { BatchExportsService, maxBatchExports } from './batch/batch-exports.service.js';

const asId: PipeTransform<string, number> = {
  transform: (text) => {
    const id = readSmallId(text);
    if (id === null) throw noBatchExport(text);
    return id;
  },
};

const Id = (): ParameterDecorator => Param('id', asId);
const IdParam = (): MethodDecorator =>
  ApiParam({ name: 'id', description: 'The id of the batch export.', schema: { type: 'integer' } });

@ApiTags('Webhooks')
@Controller('api/projects/:project_id/batch_exports')
export class BatchExportsController {
  constructor(
    private readonly rows: BatchExportsRepository,
    private readonly exports: BatchExportsService,
  ) {}

  @Get()
  @RequiresScope('webhook:read')
  @ApiOperation({ operationId: 'listBatchExports', summary: 'Batch exports, newest first' })
  @ApiOkResponse({ type: PageDto(BatchExportDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: PageQuery,
  ): Promise<Page<BatchExportDto>> {
    return pageOf(request, query, await this.rows.list(project, query));
  }

  @Post()
  @RequiresScope('webhook:write', 'event:read', 'person:read', 'cohort:read')
  @Idempotent()
  @ApiOperation({
    operationId: 'createBatchExport',
    summary: 'Write events, persons or the members of a cohort to a bucket, each hour or day',
    description:
      'The period that ended last is written at once, each later one a minute after its end. The first partition of events also has all events that arrived before it; each event is in one partition. ' +
      'The manifest is written last. A period that fails is tried again, ever later, for 3 days; then the batch export is paused. ' +
      `A project with ${maxBatchExports} batch exports has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: BatchExportDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateBatchExportBody,
    @CurrentAuthor() author: Requester,
  ): Promise<BatchExportDto> {
    return this.exports.create(project, body, author);
  }

  @Get(':id')
  @RequiresScope('webhook:read')
  @IdParam()
  @ApiOperation({ operationId: 'getBatchExport', summary: 'One batch export' })
  @ApiOkResponse({ type: BatchExportDto })
  get(@CurrentProject() project: ProjectContext, @Id() id: number): Promise<BatchExportDto> {
    return this.rows.get(project, id);
  }

  @Get(':id/runs')
  @RequiresScope('webhook:read')
  @IdParam()
  @ApiOperation({ operationId: 'listBatchExportRuns', summary: 'The periods of a batch export, newest first' })
  @ApiOkResponse({ type: PageDto(BatchExportRunDto) })
  async runs(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Id() id: number,
    @Query() query: PageQuery,
  ): Promise<Page<BatchExportRunDto>> {
    return pageOf(request, query, await this.rows.runs(project, id, query));
  }

  @Patch(':id')
  @RequiresScope('webhook:write', 'event:read', 'person:read', 'cohort:read')
  @IdParam()
  @ApiOperation({
    operationId: 'updateBatchExport',
    summary: 'Change, pause or resume a batch export',
    description:
      'A change tries what failed at once. Partitions that were written stay where they are. The secret must be given again for another bucket, region, server or key.',
  })
  @ApiOkResponse({ type: BatchExportDto })
  update(
    @CurrentProject() project: ProjectContext,
    @Id() id: number,
    @Body() body: UpdateBatchExportBody,
    @CurrentAuthor() author: Requester,
  ): Promise<BatchExportDto> {
    return updateOrDelete(body, {
      get: () => this.get(project, id),
      remove: () => this.remove(project, id, author),
      update: () => this.exports.update(project, id, body, author),
    });
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('webhook:write')
  @IdParam()
  @ApiOperation({ operationId: 'deleteBatchExport', summary: 'Delete a batch export and the list of its runs' })
  @ApiNoContentResponse({ description: 'It is deleted. Files in the bucket stay.' })
  remove(@CurrentProject() project: ProjectContext, @Id() id: number, @CurrentAuthor() author: Author): Promise<void> {
    return this.exports.delete(project, id, author);
  }
}
