import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiExtraModels,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentProject, Public, RequiresScope, projectOf } from '../../kernel/access/access.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { originOf } from '../../platform/http/origin.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { Acceptance } from './acceptance.js';
import {
  AcceptedInvitationDto,
  AcceptInvitationBody,
  CreateInvitationBody,
  InvitationDto,
  InvitationPreviewDto,
  InvitationTokenBody,
  InvitedProjectDto,
  NewInvitationDto,
} from './invitation.dto.js';
import { InvitationsService, maxInvitations } from './invitations.service.js';

const WrongLink = () =>
  ApiUnauthorizedResponse(
    problemResponse('The link was used or revoked, or has expired, or the proof of its user is missing or wrong.'),
  );

@ApiTags('Projects')
@Controller('api/projects/:project_id/invitations')
export class InvitationsController {
  constructor(private readonly invitations: InvitationsService) {}

  @Get()
  @RequiresScope('project:read')
  @ApiOperation({ operationId: 'listInvitations', summary: 'Open invitations to a project, newest first' })
  @ApiOkResponse({ type: PageDto(InvitationDto) })
  async list(
    @Req() request: Request,
    @CurrentProject() project: ProjectContext,
    @CurrentAuthor() { now }: Author,
    @Query() page: PageQuery,
  ): Promise<Page<InvitationDto>> {
    return pageOf(request, page, await this.invitations.list(project, now, page));
  }

  @Post()
  @RequiresScope('project:write')
  @Idempotent({
    reader: InvitationsService,
    keep: ({ id }: NewInvitationDto) => ({ id }),
    read: async (invitations, { id }, request) => ({ ...(await invitations.get(projectOf(request), id)), link: null }),
    says: 'gets the invitation without its link: revoke it and create another one',
  })
  @ApiOperation({
    operationId: 'createInvitation',
    summary: 'Invite a person by a link that works once, within 7 days',
    description:
      'Only this answer contains the link. No e-mail is sent: hand the link over yourself. A new invitation replaces ' +
      'an open one of the same e-mail. No caller gives a role that can do more than itself, and a key that expires invites no one: ' +
      'the member would outlive it. An invitation ends when the key that made it is revoked.',
  })
  @ApiCreatedResponse({ type: NewInvitationDto })
  @ApiConflictResponse(
    problemResponse(`The person is a member already, or the project has ${maxInvitations} open invitations.`),
  )
  create(
    @CurrentProject() project: ProjectContext,
    @Body() body: CreateInvitationBody,
    @CurrentAuthor() author: Requester,
    @Req() request: Request,
  ): Promise<NewInvitationDto> {
    return this.invitations.invite(project, body, author, originOf(request));
  }

  @Delete(':id')
  @RequiresScope('project:write')
  @HttpCode(204)
  @ApiParam({ name: 'id', format: 'uuid', description: 'The id of an invitation.' })
  @ApiOperation({ operationId: 'revokeInvitation', summary: 'Revoke an invitation' })
  @ApiNoContentResponse()
  revoke(
    @CurrentProject() project: ProjectContext,
    @Param('id') id: string,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.invitations.revoke(project, id, author);
  }
}

@ApiTags('Users')
@ApiExtraModels(InvitedProjectDto)
@Controller('api/invitations')
export class AcceptanceController {
  constructor(private readonly acceptance: Acceptance) {}

  @Post('preview')
  @Public()
  @HttpCode(200)
  @ApiOperation({
    operationId: 'previewInvitation',
    summary: 'What the token of a link is for, without using it up',
    description:
      'Tells a page what to show before the user accepts: the account, the project, and what accepting needs.',
  })
  @ApiOkResponse({ type: InvitationPreviewDto })
  @WrongLink()
  preview(@Body() { token }: InvitationTokenBody, @Req() request: Request): Promise<InvitationPreviewDto> {
    return this.acceptance.preview(token, request);
  }

  @Post('accept')
  @Public()
  @ApiOperation({
    operationId: 'acceptInvitation',
    summary: 'Accept an invitation, or set a password by a link: opens a session',
    description:
      'A new user is made with the given password. When the e-mail belongs to a user, the request needs the session or the ' +
      'password of this user, because the member who made the link knows it too.',
  })
  @ApiCreatedResponse({ type: AcceptedInvitationDto })
  @WrongLink()
  @ApiForbiddenResponse(problemResponse('A page of another origin sent the request.'))
  @ApiConflictResponse(problemResponse('The user was made or changed by another request meanwhile: try again.'))
  accept(
    @Body() body: AcceptInvitationBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<AcceptedInvitationDto> {
    return this.acceptance.accept(body, request, response);
  }
}
