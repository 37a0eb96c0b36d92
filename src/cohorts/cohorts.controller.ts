import {
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  HttpStatus,
  Param,
  Patch,
  Post,
  Query,
  Req,
  Res,
} from '@nestjs/common';
import {
  ApiBody,
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiExcludeEndpoint,
  ApiOkResponse,
  ApiOperation,
  ApiResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { PersonalData } from '../kernel/access/personal-data.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { methodNotAllowed } from '../platform/errors/problem.js';
import { BodyLimit, megabyte, RawBody } from '../platform/http/body-limit.js';
import { AcceptsForm, type Upload, Uploaded } from '../platform/http/form.interceptor.js';
import { type Page, PageDto, pageOf } from '../platform/http/page.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { Idempotent, IdempotentReading } from '../kernel/idempotency/idempotent.js';
import { CohortsRepository, maxLiveCohorts } from './record/cohorts.repository.js';
import { CohortId, CohortIdParam } from '../kernel/memberships/cohort-id.js';
import { CreateCohortBody, UpdateCohortBody } from './cohort-bodies.dto.js';
import { cohortExamples } from './definition/cohort-examples.js';
import { CohortsQuery, WaitQuery } from './record/cohort-queries.dto.js';
import { CohortDto, RecalculatedCohortDto, SavedCohortDto } from './cohort.dto.js';
import { CohortWrites } from './cohort-writes.js';
import { PreviewBody, PreviewDto } from './preview/preview.dto.js';
import { PreviewService } from './preview/preview.service.js';
import { StaticCohortsService } from './static/static-cohorts.service.js';

/** Large enough for a list of 100,000 ids. */
const idLists = [5 * megabyte, { nodes: 110_000 }] as const;

const jsonFields = [
  ...['groups', 'filters', 'query', 'is_static', 'deleted', 'group_type_index'],
  ...['person_ids', 'distinct_ids', 'group_ids', 'group_keys'],
];
const sentBackFields = [...jsonFields, 'id', 'created_by', 'experiment_set'];

const needsPersons =
  'A definition that names properties or an action needs the scope `person:read` too; one that names properties of the groups of a cohort of groups, `group:read`.';

@ApiTags('Cohorts')
@Controller('api/projects/:project_id/cohorts')
export class CohortsController {
  constructor(
    private readonly rows: CohortsRepository,
    private readonly cohorts: CohortWrites,
    private readonly statics: StaticCohortsService,
    private readonly previews: PreviewService,
  ) {}

  @Get()
  @RequiresScope('cohort:read')
  @ApiOperation({ operationId: 'listCohorts', summary: 'Cohorts, newest first' })
  @ApiOkResponse({ type: PageDto(CohortDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() query: CohortsQuery,
    @Now() now: Date,
  ): Promise<Page<CohortDto>> {
    return pageOf(request, query, await this.rows.list(project, query, now));
  }

  @Post()
  @RequiresScope('cohort:write')
  @PersonalData()
  @BodyLimit(...idLists)
  @Idempotent()
  @AcceptsForm('csv', jsonFields)
  @ApiBody({ type: CreateCohortBody, examples: cohortExamples })
  @ApiOperation({
    operationId: 'createCohort',
    summary: 'Create a cohort',
    description:
      `A dynamic cohort is calculated at once. ${needsPersons} ` +
      'A form has the same fields, with objects and lists as JSON text: ' +
      'at most 20 fields of 1 MB each, 5 MB together, and a file `csv` of at most 100 MB. ' +
      'A project may have two uploads at a time; further ones answer 503. ' +
      `A project with ${maxLiveCohorts} cohorts that are not deleted has no room for another: 409.`,
  })
  @ApiCreatedResponse({ type: SavedCohortDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateCohortBody,
    @Uploaded() upload: Upload | null,
    @Query() { wait }: WaitQuery,
    @CurrentAuthor() author: Requester,
  ): Promise<SavedCohortDto> {
    return this.cohorts.create(project, body, upload, author, wait);
  }

  @Post('preview')
  @HttpCode(200)
  @BodyLimit(megabyte)
  @RequiresScope('cohort:read', 'person:read')
  @IdempotentReading()
  @ApiOperation({
    operationId: 'previewCohort',
    summary: 'Preview the persons or groups that a definition describes, or a query selects; nothing is stored',
    description:
      'Takes the body that `POST cohorts` takes for such a cohort, so that only the URL differs. A cohort of groups needs the scope `group:read` too.',
  })
  @ApiOkResponse({ type: PreviewDto })
  preview(
    @CurrentProject('reads') project: ProjectContext,
    @Body() body: PreviewBody,
    @CurrentAuthor() author: Requester,
  ): Promise<PreviewDto> {
    return this.previews.preview(project, body, author);
  }

  @Get(':id')
  @RequiresScope('cohort:read')
  @CohortIdParam()
  @ApiOperation({ operationId: 'getCohort', summary: 'One cohort, even a deleted one' })
  @ApiOkResponse({ type: CohortDto })
  get(@CurrentProject() project: ProjectContext, @CohortId() id: number, @Now() now: Date): Promise<CohortDto> {
    return this.rows.get(project, id, now);
  }

  @Patch(':id')
  @RequiresScope('cohort:write')
  @PersonalData()
  @BodyLimit(...idLists)
  @AcceptsForm('csv', sentBackFields)
  @CohortIdParam()
  @ApiBody({ type: UpdateCohortBody })
  @ApiOperation({
    operationId: 'updateCohort',
    summary: 'Change a cohort',
    description:
      `A changed definition is calculated; listed members are added to a static cohort. ${needsPersons} ` +
      'There is no DELETE (405): `deleted` hides a cohort, and restores it.',
  })
  @ApiOkResponse({ type: SavedCohortDto })
  @ApiConflictResponse({
    description: `Live cohorts refer to the cohort to delete, or ${maxLiveCohorts} live cohorts leave no room for the cohort to restore.`,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } },
  })
  update(
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Body() body: UpdateCohortBody,
    @Uploaded() upload: Upload | null,
    @Query() { wait }: WaitQuery,
    @CurrentAuthor() author: Requester,
  ): Promise<SavedCohortDto> {
    return this.cohorts.update(project, id, body, upload, author, wait);
  }

  @Delete(':id')
  @HttpCode(HttpStatus.METHOD_NOT_ALLOWED)
  @RequiresScope('cohort:write')
  @ApiExcludeEndpoint()
  remove(@Param('id') _id: string): never {
    throw methodNotAllowed(
      'DELETE',
      ['GET', 'PATCH'],
      ['PATCH'],
      '{"deleted": true} hides a cohort, and false restores it',
    );
  }

  @Get(':id/duplicate_as_static_cohort')
  @RequiresScope('cohort:write')
  @Idempotent()
  @CohortIdParam()
  @ApiOperation({ operationId: 'duplicateCohort', summary: 'Copy the current members into a static cohort' })
  @ApiOkResponse({ type: CohortDto })
  @ApiResponse({
    status: 405,
    description: 'HEAD creates no cohort.',
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } } },
  })
  duplicate(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentProject('writes') project: ProjectContext,
    @CohortId() id: number,
    @Query() { wait }: WaitQuery,
    @CurrentAuthor() author: Author,
  ): Promise<CohortDto> {
    if (request.method === 'HEAD') throw methodNotAllowed('HEAD', ['GET']);
    response.set('Cache-Control', 'no-store');
    return this.statics.duplicate(project, id, author, wait);
  }

  @Post(':id/recalculate')
  @HttpCode(200)
  @RawBody()
  @RequiresScope('cohort:write')
  @PersonalData()
  @Idempotent()
  @CohortIdParam()
  @ApiOperation({
    operationId: 'recalculateCohort',
    summary: 'Calculate a dynamic cohort now, or run the query of a static one again',
    description: 'The run of a query needs the scope `query:read` too.',
  })
  @ApiOkResponse({ type: RecalculatedCohortDto })
  recalculate(
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() { wait }: WaitQuery,
    @CurrentAuthor() author: Requester,
  ): Promise<RecalculatedCohortDto> {
    return this.cohorts.recalculate(project, id, author, wait);
  }
}
