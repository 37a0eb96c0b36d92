import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  ApiExcludeController,
  ApiNotFoundResponse,
  ApiOperation,
  ApiResponse,
  ApiServiceUnavailableResponse,
  ApiTags,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { Public } from '../../kernel/access/access.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { OidcSignIn } from './oidc-sign-in.js';
import { SignOnQuery } from './oidc.dto.js';

@ApiTags('Users')
@Controller('api/sessions/oidc')
export class OidcController {
  constructor(private readonly signIn: OidcSignIn) {}

  @Get('start')
  @Public()
  @ApiOperation({
    operationId: 'startSingleSignOn',
    summary: 'Sign in by the provider of single sign-on',
    description:
      'For a browser: it is led to the provider, and from there over `/api/sessions/oidc/callback` back to a page of the console. ' +
      'A sign-in has 10 minutes, and works once and in the same browser. When it is refused, a browser is led to the sign-in page.',
  })
  @ApiResponse({ status: 303, description: 'The way to the provider, with the cookie `kohort_sign_on`.' })
  @ApiNotFoundResponse(problemResponse('There is no single sign-on: `OIDC_ISSUER` is not set.'))
  @ApiServiceUnavailableResponse(problemResponse('The provider cannot be reached, or does not answer as it should.'))
  start(
    @Query() { return_to: returnTo }: SignOnQuery,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.signIn.start(returnTo, request, response);
  }
}

/**
 * The route is not in the OpenAPI document, and accepts any parameter, because only providers send browsers here, each with its
 * own parameters.
 */
@ApiExcludeController()
@Controller('api/sessions/oidc')
export class OidcCallbackController {
  constructor(private readonly signIn: OidcSignIn) {}

  @Get('callback')
  @Public()
  callback(@Req() request: Request, @Res() response: Response): Promise<void> {
    return this.signIn.callback(request, response);
  }
}
