import { Body, Controller, Get, Patch, Query, Req, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope } from '../kernel/access/access.js';
import { PersonalData } from '../kernel/access/personal-data.js';
import { type Author, type Requester } from '../kernel/access/author.js';
import { ApiJsonOrCsv } from '../platform/csv/format.dto.js';
import { BodyLimit, megabyte } from '../platform/http/body-limit.js';
import { WarnedPageDto } from '../filters/warnings/question-warning.dto.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { PersonsResponder } from '../persons/list/persons-responder.js';
import { PersonDto } from '../persons/person.dto.js';
import { CohortId, CohortIdParam, deletedCohort } from '../kernel/memberships/cohort-id.js';
import { AddPersonsBody, RemovePersonBody } from './cohort-bodies.dto.js';
import { GroupDto } from '../groups/group.dto.js';
import { GroupsList } from '../groups/list/groups-list.js';
import { assertMembers } from './record/members-of-kind.js';
import { GroupMembersQuery, MembersQuery } from './record/cohort-queries.dto.js';
import { CohortHistoryDto, HistoryQuery } from './changes/history.dto.js';
import { actorsInSql, personSetSql } from '../kernel/memberships/members-then.sql.js';
import { PastMembers, readAsOf } from '../kernel/memberships/past-members.js';
import { SizeHistory } from './changes/size-history.js';
import { DoneDto } from './cohort.dto.js';
import { CohortsRepository } from './record/cohorts.repository.js';
import { ExplainQuery, ExplanationDto } from './preview/preview.dto.js';
import { PreviewService } from './preview/preview.service.js';
import { StaticCohortsService } from './static/static-cohorts.service.js';
import { UploadReportDto } from './record/upload.dto.js';
import { UploadReports } from './static/upload-reports.js';

@ApiTags('Cohorts')
@Controller('api/projects/:project_id/cohorts')
export class CohortMembersController {
  constructor(
    private readonly rows: CohortsRepository,
    private readonly statics: StaticCohortsService,
    private readonly uploads: UploadReports,
    private readonly previews: PreviewService,
    private readonly lists: PersonsResponder,
    private readonly groupLists: GroupsList,
    private readonly past: PastMembers,
    private readonly sizes: SizeHistory,
  ) {}

  @Get(':id/persons')
  @RequiresScope('cohort:read', 'person:read')
  @CohortIdParam()
  @ApiOperation({ operationId: 'listCohortPersons', summary: 'The members of a cohort, newest first' })
  @ApiJsonOrCsv(WarnedPageDto(PersonDto))
  async persons(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() query: MembersQuery,
    @Now() now: Date,
  ): Promise<void> {
    const { as_of: asOf, ...list } = query;
    const cohort = await this.rows.find(project, id);
    assertMembers(id, cohort.group_type_index, 'persons', 'members');
    if (asOf !== undefined) {
      const members = await this.past.at(project, id, readAsOf(project, asOf, now));
      return this.lists.send(request, response, project, list, now, personSetSql(project.id, members));
    }
    if (cohort.deleted) throw deletedCohort(id);
    await this.lists.send(request, response, project, { ...list, cohort: String(id) }, now);
  }

  @Get(':id/groups')
  @RequiresScope('cohort:read', 'group:read')
  @CohortIdParam()
  @ApiOperation({ operationId: 'listCohortGroups', summary: 'The members of a cohort of groups, newest first' })
  @ApiJsonOrCsv(WarnedPageDto(GroupDto))
  async groups(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() query: GroupMembersQuery,
    @Now() now: Date,
  ): Promise<void> {
    const { as_of: asOf, ...sent } = query;
    const { deleted, group_type_index: groupType } = await this.rows.find(project, id);
    assertMembers(id, groupType, 'groups', 'members');
    const list = { ...sent, ...(groupType !== null && { group_type_index: groupType }) };
    if (asOf !== undefined) {
      const members = await this.past.at(project, id, readAsOf(project, asOf, now));
      return this.groupLists.send(request, response, project, list, now, actorsInSql(members));
    }
    if (deleted) throw deletedCohort(id);
    await this.groupLists.send(request, response, project, { ...list, cohort: String(id) }, now);
  }

  @Get(':id/history')
  @RequiresScope('cohort:read')
  @CohortIdParam()
  @ApiOperation({
    operationId: 'getCohortHistory',
    summary: 'The size of a cohort by day, and how many entered and left it',
  })
  @ApiOkResponse({ type: CohortHistoryDto })
  history(
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() { days }: HistoryQuery,
    @Now() now: Date,
  ): Promise<CohortHistoryDto> {
    return this.sizes.read(project, id, days, now);
  }

  @Get(':id/explain')
  @RequiresScope('cohort:read', 'person:read')
  @CohortIdParam()
  @ApiOperation({
    operationId: 'explainCohort',
    summary: 'Explain why a person or a group is or is not a member of a cohort',
    description: 'A cohort of groups needs the scope `group:read` too.',
  })
  @ApiOkResponse({ type: ExplanationDto })
  explain(
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Query() query: ExplainQuery,
    @CurrentAuthor() author: Requester,
  ): Promise<ExplanationDto> {
    return this.previews.explain(project, id, query, author);
  }

  @Get(':id/upload')
  @RequiresScope('cohort:read')
  @PersonalData()
  @CohortIdParam()
  @ApiOperation({
    operationId: 'getCohortUpload',
    summary: 'What became of the last upload to a static cohort, and which rows name no person',
    description: 'A cohort to which no members were uploaded answers 404.',
  })
  @ApiOkResponse({ type: UploadReportDto })
  upload(@CurrentProject() project: ProjectContext, @CohortId() id: number): Promise<UploadReportDto> {
    return this.uploads.get(project, id);
  }

  @Patch(':id/add_persons_to_static_cohort')
  @BodyLimit(megabyte)
  @RequiresScope('cohort:write')
  @CohortIdParam()
  @ApiOperation({
    operationId: 'addPersonsToCohort',
    summary: 'Add up to 1,000 persons to a static cohort, or groups to one of groups',
  })
  @ApiOkResponse({ type: DoneDto })
  addPersons(
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Body() body: AddPersonsBody,
    @CurrentAuthor() author: Author,
  ): Promise<DoneDto> {
    return this.statics.add(project, id, body, author);
  }

  @Patch(':id/remove_person_from_static_cohort')
  @RequiresScope('cohort:write')
  @CohortIdParam()
  @ApiOperation({
    operationId: 'removePersonFromCohort',
    summary:
      'Remove a person from a static cohort, or a group from one of groups; others than members are accepted without effect',
  })
  @ApiOkResponse({ type: DoneDto })
  removePerson(
    @CurrentProject() project: ProjectContext,
    @CohortId() id: number,
    @Body() body: RemovePersonBody,
    @CurrentAuthor() author: Author,
  ): Promise<DoneDto> {
    return this.statics.remove(project, id, body, author);
  }
}
