import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { ApiActivityResponse } from '../../activity/activity-answer.js';
import { ActivityRepository } from '../../activity/log/activity.repository.js';
import { ActivityQuery } from '../../activity/activity.dto.js';
import { sendActivity } from '../../activity/send-activity.js';
import { CurrentAuthor, CurrentCaller, RequiresScope, RequiresSession, callerOf } from '../../kernel/access/access.js';
import { type Caller, type SessionCaller } from '../../kernel/access/caller.js';
import { type Author, type Requester } from '../../kernel/access/author.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { originOf } from '../../platform/http/origin.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { SessionDto } from '../sessions/session.dto.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { MeDto } from '../users/me.dto.js';
import {
  AccountDto,
  CreateAccountBody,
  NewAccountDto,
  PasswordLinkDto,
  UpdateAccountBody,
  UpdateMeBody,
} from './account.dto.js';
import { accountIdOf, AccountsService, assertInstallation } from './accounts.service.js';
import { OwnAccount } from './own-account.js';

const UserId = () => ApiParam({ name: 'id', description: 'The id of a user.', schema: { type: 'string' } });

/** Repeated requests get no link, because a link is shown once and stored nowhere. */
const noLink: PasswordLinkDto = { link: null, link_expires_at: null };

const ofOwners = 'For owners of the installation, and for keys with the scope `*` on all projects.';

const LastOwner = () =>
  ApiConflictResponse(problemResponse('The user is the last owner of the installation, or the caller.'));

@ApiTags('Users')
@Controller('api/users')
export class AccountsController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly own: OwnAccount,
    private readonly sessions: SessionsService,
    private readonly activities: ActivityRepository,
  ) {}

  @Patch('@me')
  @RequiresSession()
  @ApiOperation({
    operationId: 'updateMe',
    summary: 'Change your names or your password',
    description:
      'A new password ends your other sessions. A user without one sets the first within 10 minutes of signing in.',
  })
  @ApiOkResponse({ type: MeDto })
  @ApiConflictResponse(problemResponse('Another request has changed the password meanwhile.'))
  updateMe(
    @CurrentCaller() caller: SessionCaller,
    @Body() body: UpdateMeBody,
    @CurrentAuthor() author: Author,
    @Req() request: Request,
  ): Promise<MeDto> {
    return this.own.update(caller, body, author, request);
  }

  @Get('@me/activity')
  @RequiresSession()
  @ApiOperation({
    operationId: 'listMyActivity',
    summary: 'What happened to your account, your sessions and your keys, newest first',
  })
  @ApiActivityResponse()
  myActivity(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentCaller() { userId }: SessionCaller,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    return sendActivity(request, response, this.activities, { accountOf: userId }, {}, query);
  }

  @Get()
  @RequiresScope('*')
  @ApiOperation({ operationId: 'listUsers', summary: 'Users of the installation, newest first', description: ofOwners })
  @ApiOkResponse({ type: PageDto(AccountDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
  ): Promise<Page<AccountDto>> {
    assertInstallation(caller);
    return pageOf(request, page, await this.accounts.list(page));
  }

  @Post()
  @RequiresScope('*')
  @Idempotent({
    reader: AccountsService,
    keep: ({ id }: NewAccountDto) => ({ id }),
    read: async (accounts, { id }, request) => {
      assertInstallation(callerOf(request));
      return { ...(await accounts.get(String(id))), ...noLink };
    },
    says: 'gets the user without the link',
  })
  @ApiOperation({
    operationId: 'createUser',
    summary: 'Make a user, who sets a password by the link of this answer',
    description: `${ofOwners} The link works once, within 7 days.`,
  })
  @ApiCreatedResponse({ type: NewAccountDto })
  @ApiConflictResponse(problemResponse('A user has this e-mail already.'))
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateAccountBody,
    @CurrentAuthor() author: Requester,
    @Req() request: Request,
  ): Promise<NewAccountDto> {
    assertInstallation(caller);
    return this.accounts.create(body, author, originOf(request));
  }

  @Get(':id')
  @RequiresScope('*')
  @UserId()
  @ApiOperation({ operationId: 'getUser', summary: 'One user of the installation', description: ofOwners })
  @ApiOkResponse({ type: AccountDto })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AccountDto> {
    assertInstallation(caller);
    return this.accounts.get(id);
  }

  @Patch(':id')
  @RequiresScope('*')
  @UserId()
  @ApiOperation({
    operationId: 'updateUser',
    summary: 'Change the names of a user, or make or unmake an owner',
    description: `${ofOwners} Keys that the user made while signed in are revoked where they exceed what is left.`,
  })
  @ApiOkResponse({ type: AccountDto })
  @LastOwner()
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateAccountBody,
    @CurrentAuthor() author: Requester,
  ): Promise<AccountDto> {
    assertInstallation(caller);
    return this.accounts.update(id, body, author);
  }

  @Delete(':id')
  @RequiresScope('*')
  @HttpCode(204)
  @UserId()
  @ApiOperation({
    operationId: 'deleteUser',
    summary: 'Remove a user, with all sessions, keys and roles',
    description: `${ofOwners} What the user has made stays.`,
  })
  @ApiNoContentResponse()
  @LastOwner()
  remove(@CurrentCaller() caller: Caller, @Param('id') id: string, @CurrentAuthor() author: Author): Promise<void> {
    assertInstallation(caller);
    return this.accounts.remove(caller, id, author);
  }

  @Post(':id/password_link')
  @RequiresScope('*')
  @Idempotent({ keep: () => null, read: () => noLink, says: 'gets no link' })
  @UserId()
  @ApiOperation({
    operationId: 'createPasswordLink',
    summary: 'Make a link by which a user sets a new password',
    description: `${ofOwners} It works once, within 7 days, and makes earlier links of the user void.`,
  })
  @ApiCreatedResponse({ type: PasswordLinkDto })
  passwordLink(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentAuthor() author: Requester,
    @Req() request: Request,
  ): Promise<PasswordLinkDto> {
    assertInstallation(caller);
    return this.accounts.passwordLink(id, author, originOf(request));
  }

  @Get(':id/sessions')
  @RequiresScope('*')
  @UserId()
  @ApiOperation({
    operationId: 'listSessionsOfUser',
    summary: 'Sessions of a user, newest first',
    description: ofOwners,
  })
  @ApiOkResponse({ type: PageDto(SessionDto) })
  async sessionsOf(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentAuthor() { now }: Author,
    @Query() page: PageQuery,
  ): Promise<Page<SessionDto>> {
    assertInstallation(caller);
    const user = await this.accounts.get(id);
    return pageOf(request, page, await this.sessions.list(user.id, caller.sessionId, now, page));
  }

  @Delete(':id/sessions')
  @RequiresScope('*')
  @HttpCode(204)
  @UserId()
  @ApiOperation({ operationId: 'endSessionsOfUser', summary: 'End all sessions of a user', description: ofOwners })
  @ApiNoContentResponse()
  async endSessionsOf(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    assertInstallation(caller);
    const user = await this.accounts.get(id);
    await this.sessions.endAll(user.id, author);
  }

  @Get(':id/activity')
  @RequiresScope('*')
  @UserId()
  @ApiOperation({
    operationId: 'listUserActivity',
    summary: 'What happened to the account, the sessions and the keys of a user, newest first',
    description: `${ofOwners} The entries outlive the user.`,
  })
  @ApiActivityResponse()
  async activity(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    assertInstallation(caller);
    await sendActivity(request, response, this.activities, { accountOf: accountIdOf(id) }, {}, query);
  }
}
