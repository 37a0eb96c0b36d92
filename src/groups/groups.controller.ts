import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, Now, RequiresScope, projectOf } from '../kernel/access/access.js';
import { type Author } from '../kernel/access/author.js';
import { type ProjectContext } from '../kernel/access/project-context.js';
import { maxEventNodes } from '../kernel/event-log/normalise/limits.js';
import { GroupId, GroupIdParam } from '../kernel/groups/group-id.js';
import { Idempotent } from '../kernel/idempotency/idempotent.js';
import { ApiJsonOrCsv } from '../platform/csv/format.dto.js';
import { BodyLimit, megabyte } from '../platform/http/body-limit.js';
import { WarnedPageDto } from '../filters/warnings/question-warning.dto.js';
import { CreateGroupBody, DeleteGroupQuery, UpdateGroupBody } from './edits/group-edits.dto.js';
import { GroupEditsService } from './edits/group-edits.service.js';
import { GroupDto } from './group.dto.js';
import { GroupsList } from './list/groups-list.js';
import { GroupsQuery } from './list/groups.query.js';
import { FindGroupQuery } from './reading/find-group.query.js';
import { GroupsRepository } from './reading/groups.repository.js';

const replay = {
  reader: GroupsRepository,
  keep: ({ id }: GroupDto) => ({ id }),
  read: (groups: GroupsRepository, { id }: { readonly id: number }, request: Request) =>
    groups.get(projectOf(request), String(id)),
  says: 'gets the current group (404 when it is gone)',
};

@ApiTags('Groups')
@Controller('api/projects/:project_id/groups')
export class GroupsController {
  constructor(
    private readonly lists: GroupsList,
    private readonly groups: GroupsRepository,
    private readonly edits: GroupEditsService,
  ) {}

  @Get()
  @RequiresScope('group:read')
  @ApiOperation({
    operationId: 'listGroups',
    summary: 'Groups of a type, such as companies, newest first',
    description: 'All parameters combine by AND. CSV without `limit` contains all groups.',
  })
  @ApiJsonOrCsv(WarnedPageDto(GroupDto))
  list(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: GroupsQuery,
    @Now() now: Date,
  ): Promise<void> {
    return this.lists.send(request, response, project, query, now);
  }

  @Post()
  @BodyLimit(megabyte, { nodes: maxEventNodes })
  @RequiresScope('group:write')
  @Idempotent(replay)
  @ApiOperation({
    operationId: 'createGroup',
    summary: 'Make a group before an event names it',
    description: 'A group that exists is a 409: change it by PATCH.',
  })
  @ApiCreatedResponse({ type: GroupDto })
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateGroupBody,
    @CurrentAuthor() author: Author,
  ): Promise<GroupDto> {
    return this.edits.create(project, body, author);
  }

  @Get('find')
  @RequiresScope('group:read')
  @ApiOperation({ operationId: 'findGroup', summary: 'The group of a type that has a key' })
  @ApiOkResponse({ type: GroupDto })
  find(
    @CurrentProject() project: ProjectContext,
    @Query() { group_type_index: index, group_key: key }: FindGroupQuery,
  ): Promise<GroupDto> {
    return this.groups.find(project, index, key);
  }

  @Get(':id')
  @RequiresScope('group:read')
  @GroupIdParam()
  @ApiOperation({ operationId: 'getGroup', summary: 'One group' })
  @ApiOkResponse({ type: GroupDto })
  get(@CurrentProject() project: ProjectContext, @GroupId() id: string): Promise<GroupDto> {
    return this.groups.get(project, id);
  }

  @Patch(':id')
  @BodyLimit(megabyte, { nodes: maxEventNodes })
  @RequiresScope('group:write')
  @GroupIdParam()
  @ApiOperation({
    operationId: 'updateGroup',
    summary: 'Set or remove properties of a group; other properties stay unchanged',
  })
  @ApiOkResponse({ type: GroupDto })
  update(
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Body() body: UpdateGroupBody,
    @CurrentAuthor() author: Author,
  ): Promise<GroupDto> {
    return this.edits.update(project, id, body, author);
  }

  @Delete(':id')
  @HttpCode(204)
  @RequiresScope('group:write')
  @GroupIdParam()
  @ApiOperation({
    operationId: 'deleteGroup',
    summary: 'Delete a group and, with delete_mentions, what events say about it',
    description:
      'Its events stay, and name it unless `delete_mentions` is true. The next event that names the group makes it again, without ' +
      'the properties that it had.',
  })
  @ApiNoContentResponse({
    description: 'The group is deleted.',
    headers: { Location: { description: 'The receipt, a deletion request.', schema: { type: 'string' } } },
  })
  async remove(
    @Res({ passthrough: true }) response: Response,
    @CurrentProject() project: ProjectContext,
    @GroupId() id: string,
    @Query() query: DeleteGroupQuery,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    response.location(await this.edits.remove(project, id, query, author));
  }
}
