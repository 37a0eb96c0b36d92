import { Controller, Get, Req } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Request } from 'express';
import { Public } from '../../kernel/access/access.js';
import { Config } from '../../platform/config/config.js';
import { originOf } from '../../platform/http/origin.js';

/** The name of `/mcp` for the provider, and so the audience of access tokens. */
export const resourceOf = (request: Request): string => `${originOf(request)}/mcp`;

/** Where RFC 9728 has the description of the resource. */
export const descriptionOf = (request: Request): string =>
  `${originOf(request)}/.well-known/oauth-protected-resource/mcp`;

/** Tells a client where its user signs in. Not in the OpenAPI document, because the standard describes it. */
@ApiExcludeController()
@Controller('.well-known/oauth-protected-resource')
export class ProtectedResourceController {
  constructor(private readonly config: Config) {}

  @Get(['', 'mcp'])
  @Public()
  describe(@Req() request: Request): object {
    return {
      resource: resourceOf(request),
      resource_name: 'Kohort',
      resource_documentation: `${originOf(request)}/docs/guides/agents.md`,
      authorization_servers: [this.config.oidc?.issuer.href.replace(/\/$/, '')],
      bearer_methods_supported: ['header'],
      scopes_supported: ['openid'],
    };
  }
}
