import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Request } from 'express';
import { CurrentAuthor, CurrentCaller, CurrentProject, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { type Caller } from '../../kernel/access/caller.js';
import { type Requester } from '../../kernel/access/author.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { CreateMemberBody, MemberDto, UpdateMemberBody } from './member.dto.js';
import { MembersService } from './members.service.js';

const UserId = () => ApiParam({ name: 'user_id', description: 'The id of the user.', schema: { type: 'string' } });

const LastAdmin = () =>
  ApiConflictResponse(problemResponse('The user is the last admin, and the installation has no owner.'));

const withKeys =
  'It takes effect with the next request. Keys that the user made while signed in are revoked where they exceed what is left; ' +
  'keys of an operator stay. Open invitations of the user to this project end.';

@ApiTags('Projects')
@Controller('api/projects/:project_id/members')
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get()
  @RequiresScope('project:read')
  @ApiOperation({ operationId: 'listMembers', summary: 'Members of a project with their roles, newest first' })
  @ApiOkResponse({ type: PageDto(MemberDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @Query() page: PageQuery,
  ): Promise<Page<MemberDto>> {
    return pageOf(request, page, await this.members.list(project, page));
  }

  @Post()
  @RequiresScope('project:write')
  @Idempotent({
    reader: MembersService,
    keep: ({ user }: MemberDto) => ({ id: user.id }),
    read: (members, { id }, request) => members.get(projectOf(request), String(id)),
    says: 'gets the member as it is now',
  })
  @ApiOperation({
    operationId: 'addMember',
    summary: 'Make a user of the installation a member',
    description:
      'For owners of the installation, and for keys with the scope `*` on all projects. Others create an invitation, ' +
      'which the person accepts: this answer would tell them who the users are.',
  })
  @ApiCreatedResponse({ type: MemberDto })
  @ApiConflictResponse(problemResponse('The user is a member already.'))
  add(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateMemberBody,
    @CurrentCaller() caller: Caller,
    @CurrentAuthor() author: Requester,
  ): Promise<MemberDto> {
    return this.members.add(project, body, caller, author);
  }

  @Get(':user_id')
  @RequiresScope('project:read')
  @UserId()
  @ApiOperation({ operationId: 'getMember', summary: 'One member' })
  @ApiOkResponse({ type: MemberDto })
  get(@CurrentProject() project: ProjectContext, @Param('user_id') userId: string): Promise<MemberDto> {
    return this.members.get(project, userId);
  }

  @Patch(':user_id')
  @RequiresScope('project:write')
  @UserId()
  @ApiOperation({ operationId: 'updateMember', summary: 'Change the role of a member', description: withKeys })
  @ApiOkResponse({ type: MemberDto })
  @LastAdmin()
  update(
    @CurrentProject() project: ProjectContext,
    @Param('user_id') userId: string,
    @Body() body: UpdateMemberBody,
    @CurrentAuthor() author: Requester,
  ): Promise<MemberDto> {
    return this.members.update(project, userId, body, author);
  }

  @Delete(':user_id')
  @RequiresScope('project:write')
  @HttpCode(204)
  @UserId()
  @ApiOperation({ operationId: 'removeMember', summary: 'Remove a member', description: withKeys })
  @ApiNoContentResponse()
  @LastAdmin()
  remove(
    @CurrentProject() project: ProjectContext,
    @Param('user_id') userId: string,
    @CurrentAuthor() author: Requester,
  ): Promise<void> {
    return this.members.remove(project, userId, author);
  }
}
