import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiNotFoundResponse, ApiOkResponse, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentCaller, RequiresScope } from '../kernel/access/access.js';
import { type Caller } from '../kernel/access/caller.js';
import { ProjectTokens } from '../kernel/projects/project-tokens.js';
import { problemResponse } from '../platform/errors/problem.dto.js';
import { notFound, required } from '../platform/errors/problem.js';
import { sendUnlessKnown } from '../platform/http/etag.js';
import { LocalEvaluationQuery } from './flag.dto.js';
import { LocalDefinitions } from './local/local-definitions.js';
import { LocalDefinitionsDto } from './local/local.dto.js';

/** The routes by which SDKs with a personal API key fetch flags to decide about them. They name their project by its token. */
@ApiTags('Flags')
@Controller()
export class FlagDefinitionsController {
  constructor(
    private readonly tokens: ProjectTokens,
    private readonly local: LocalDefinitions,
  ) {}

  @Get(['flags/definitions', 'api/feature_flag/local_evaluation'])
  @RequiresScope('feature_flag:read')
  @ApiHeader({ name: 'If-None-Match', required: false, description: 'The `ETag` of an answer that the client has.' })
  @ApiOperation({
    operationId: 'getFlagDefinitions',
    summary: 'What an SDK needs to decide about the flags of a project itself, which it names by its token',
  })
  @ApiOkResponse({ type: LocalDefinitionsDto, headers: { ETag: { schema: { type: 'string' } } } })
  @ApiResponse({ status: 304, description: 'The answer is the one that the client has.' })
  @ApiNotFoundResponse(problemResponse('The token belongs to no project that is open to the key.'))
  async definitions(
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
    @CurrentCaller() caller: Caller,
    @Query() { token }: LocalEvaluationQuery,
  ): Promise<LocalDefinitionsDto | undefined> {
    if (token === undefined) throw required('token');
    const project = await this.tokens.find(token, () => undefined);
    const isOpen = project !== null && (caller.projectIds === null || caller.projectIds.includes(project.id));
    if (!isOpen) throw notFound('the token belongs to no project that is open to this key');
    return sendUnlessKnown(request, response, await this.local.of(project.id));
  }
}
