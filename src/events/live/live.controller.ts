import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import {
  ApiExtraModels,
  ApiHeader,
  ApiOkResponse,
  ApiOperation,
  ApiProduces,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { type Request, type Response } from 'express';
import { CurrentProject, RequiresScope } from '../../kernel/access/access.js';
import { type ProjectContext } from '../../kernel/access/project-context.js';
import { EventDto } from '../log/event.dto.js';
import { LiveService } from './live.service.js';
import { LiveQuery, SkippedDto } from './live.dto.js';

const messagesSchema = {
  type: 'string',
  contentMediaType: 'text/event-stream',
  contentSchema: { oneOf: [{ $ref: getSchemaPath(EventDto) }, { $ref: getSchemaPath(SkippedDto) }] },
};

const example = 'retry: 2000\n\nid: MTA0NToxMDQ1OiAgIDE3\nevent: skipped\ndata: {"count":950}\n\n';

/** This controller is registered first, because `events/:uuid` would capture its path. */
@ApiTags('Events')
@Controller('api/projects/:project_id/events/live')
export class LiveController {
  constructor(private readonly live: LiveService) {}

  @Get()
  @RequiresScope('event:read')
  @ApiOperation({
    operationId: 'watchEvents',
    summary: 'Events as they arrive, as server-sent events',
    description:
      'A message `event: event` has one event as its `data`, in the shape of `listEvents`, within about a second after it was acknowledged. ' +
      'At most 50 events a second are shown; a message `event: skipped` then says how many are missing. The `id` of each message is a cursor: a stream that is ' +
      'resumed from it within five minutes gets each event after it once. A comment with an `id` comes at the beginning and every 15 s. The stream ends when its time is over, when the key is revoked or expires, ' +
      'when the person of the filter is merged or deleted, and when the service stops; a client that reads nothing for half a minute is disconnected.',
  })
  @ApiHeader({
    name: 'Last-Event-ID',
    required: false,
    description: 'As `cursor`, as browsers send it.',
    schema: { type: 'string' },
  })
  @ApiProduces('text/event-stream')
  @ApiExtraModels(EventDto, SkippedDto)
  @ApiOkResponse({
    description:
      'Messages, until the stream ends. `contentSchema` describes the `data` of a message: of `event`, and of `skipped`.',
    content: { 'text/event-stream': { schema: messagesSchema, example } },
  })
  watch(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentProject() project: ProjectContext,
    @Query() query: LiveQuery,
  ): Promise<void> {
    return this.live.send(request, response, project, query);
  }
}
