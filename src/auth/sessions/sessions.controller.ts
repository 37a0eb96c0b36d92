import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiForbiddenResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
  ApiUnauthorizedResponse,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentAuthor, CurrentCaller, Public, RequiresSession } from '../../kernel/access/access.js';
import { type SessionCaller } from '../../kernel/access/caller.js';
import { type Author } from '../../kernel/access/author.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { clearSessionCookie } from './session-cookie.js';
import { SessionDto, SignInBody } from './session.dto.js';
import { SessionsService } from './sessions.service.js';
import { SignIn } from './sign-in.js';

@ApiTags('Users')
@Controller('api/sessions')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly signIn: SignIn,
  ) {}

  @Post()
  @Public()
  @ApiOperation({
    operationId: 'signIn',
    summary: 'Sign in with e-mail and password, or with a link that works once',
    description:
      'The answer sets the cookie `kohort_session`. An unknown account gets the same answer as a wrong password. ' +
      'Failed attempts are limited by account and by address. Pages of other origins get a 403.',
  })
  @ApiCreatedResponse({ type: SessionDto })
  @ApiUnauthorizedResponse(problemResponse('The e-mail or the password is wrong, or the link was used or has expired.'))
  @ApiForbiddenResponse(problemResponse('A page of another origin sent the request.'))
  open(
    @Body() body: SignInBody,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<SessionDto> {
    return this.signIn.signIn(body, request, response);
  }

  @Get()
  @RequiresSession()
  @ApiOperation({ operationId: 'listSessions', summary: 'Your sessions that have not ended, newest first' })
  @ApiOkResponse({ type: PageDto(SessionDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() { userId, sessionId }: SessionCaller,
    @CurrentAuthor() { now }: Author,
    @Query() page: PageQuery,
  ): Promise<Page<SessionDto>> {
    return pageOf(request, page, await this.sessions.list(userId, sessionId, now, page));
  }

  @Delete('@current')
  @RequiresSession()
  @HttpCode(204)
  @ApiOperation({ operationId: 'signOut', summary: 'Sign out: end the session of this request' })
  @ApiNoContentResponse()
  async signOut(
    @CurrentCaller() caller: SessionCaller,
    @CurrentAuthor() author: Author,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<void> {
    await this.sessions.end(caller, caller.sessionId, author);
    clearSessionCookie(request, response);
  }

  @Delete(':id')
  @RequiresSession()
  @HttpCode(204)
  @ApiParam({ name: 'id', format: 'uuid', description: 'The id of one of your sessions.' })
  @ApiOperation({ operationId: 'endSession', summary: 'End one of your sessions' })
  @ApiNoContentResponse()
  end(@CurrentCaller() caller: SessionCaller, @Param('id') id: string, @CurrentAuthor() author: Author): Promise<void> {
    return this.sessions.end(caller, id, author);
  }
}
