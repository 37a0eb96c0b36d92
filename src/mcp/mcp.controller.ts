import { Controller, Post, Req, Res, UseFilters } from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { RequiresScope } from '../kernel/access/access.js';
import { BodyLimit, megabyte } from '../platform/http/body-limit.js';
import { refuseReboundOrigin } from '../platform/http/same-origin.js';
import { McpDoor } from './mcp-door.js';
import { ChallengeFilter } from './sign-on/challenge.filter.js';

const message = { type: 'object' as const, additionalProperties: true };

@ApiTags('Operations')
@Controller()
@UseFilters(ChallengeFilter)
export class McpController {
  constructor(private readonly door: McpDoor) {}

  @Post('mcp')
  @RequiresScope()
  @BodyLimit(megabyte)
  @ApiOperation({
    operationId: 'callTool',
    summary: 'The tools for programs that speak MCP',
    description:
      'Streamable HTTP of the Model Context Protocol, without sessions: each message is a request of its own. The scopes of the key decide which tools there are. The guide [Agents](/docs/guides/agents.md) explains them.',
  })
  @ApiBody({ schema: message, description: 'A message of JSON-RPC 2.0.' })
  @ApiOkResponse({ schema: message, description: 'The answer of JSON-RPC 2.0.' })
  @ApiResponse({ status: 202, description: 'A notification, which has no answer.' })
  @ApiResponse({
    status: 400,
    description: 'The body is no message, or names a version of the protocol that is not known.',
    content: {
      'application/json': { schema: message },
      'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDto' } },
    },
  })
  @ApiResponse({
    status: 406,
    schema: message,
    description: 'Accept must name application/json and text/event-stream.',
  })
  async callTool(@Req() request: Request, @Res() response: Response): Promise<void> {
    refuseReboundOrigin(request);
    await this.door.answer(request, response);
  }
}
