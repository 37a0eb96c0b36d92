import { Injectable, type NestMiddleware } from '@nestjs/common';
import { type NextFunction, type Request, type Response } from 'express';
import { sessionCookieName } from '../../auth/sessions/session-cookie.js';
import { AccessTokens } from '../../auth/oidc/access-tokens.js';
import { refuseReboundOrigin } from '../../platform/http/same-origin.js';
import { resourceOf } from './protected-resource.controller.js';

/** Replaces an access token of the provider by a session of its user, which all further checks know. */
@Injectable()
export class AccessTokenMiddleware implements NestMiddleware {
  constructor(private readonly tokens: AccessTokens) {}

  use(request: Request, response: Response, next: NextFunction): void {
    this.admit(request, response).then(() => next(), next);
  }

  private async admit(request: Request, response: Response): Promise<void> {
    const secret = await this.tokens.sessionOf(request, resourceOf(request));
    if (secret === null) return;
    refuseReboundOrigin(request);
    const { headers } = request;
    delete headers.authorization;
    delete headers.origin;
    headers.cookie = `${sessionCookieName}=${secret}`;
    headers['sec-fetch-site'] = 'same-origin';
    // The session is no cookie of the client.
    response.cookie = () => response;
  }
}
