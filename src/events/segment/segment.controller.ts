import { type Dialect, bearerToken } from '../capture/dialect.js';
import { TokenSearch } from '../capture/token.js';
import { isRecord } from '../../kernel/event-log/normalise/json.js';
import { type MessageType, messageTypes, normaliseMessage } from './message.js';
import { Controller, Get, HttpCode, Param, Post, Req, UseFilters } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { type Request } from 'express';
import { Now, ProjectToken } from '../../kernel/access/access.js';
import { notFound } from '../../platform/errors/problem.js';
import { RawBody } from '../../platform/http/body-limit.js';
import { CaptureService, captureRequest } from '../capture/capture.service.js';
import { CaptureErrors, DataParameter } from '../capture/capture.openapi.js';
import { RefusedTokensFilter } from '../capture/refused-tokens.filter.js';
import { Senders } from '../capture/senders.js';
import { segmentBodySchema } from './segment.openapi.js';
import { SegmentReplyDto } from './segment.dto.js';

/** The dialect of Segment's tracking API, used by the SDKs of Segment and RudderStack. */
export const segmentDialect = (type: MessageType | null): Dialect => ({
  headerToken: (authorization) => basicUser(authorization) ?? bearerToken(authorization),
  tokenSearch: () => new WriteKeySearch(),
  tokenField: 'writeKey',
  sentAt: 'sentAt',
  normalise: normaliseMessage(type),
});

const basic = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i;

/** Returns the user name; clients leave the password empty. */
const basicUser = (authorization: string): string | null => {
  const [, encoded] = basic.exec(authorization) ?? [];
  if (encoded === undefined) return null;
  const [user] = Buffer.from(encoded, 'base64').toString('latin1').split(':', 1);
  return user || null;
};

/** Searches for the project token as `writeKey`, which a body and its messages may contain with or without a header. */
class WriteKeySearch extends TokenSearch {
  constructor() {
    super('writeKey');
  }

  override add(carrier: unknown): void {
    if (isRecord(carrier)) this.name(carrier.writeKey);
  }
}

const paths = [...messageTypes, 'batch'] as const;

const TypeParameter = (): MethodDecorator =>
  ApiParam({ name: 'type', enum: paths, description: 'Its first letter means the same.', example: 'batch' });

const explained =
  'The token is the user name of Basic authentication, or `writeKey` in the body. `userId`, or else `anonymousId`, is the distinct id, ' +
  'and `identify` merges the two; `traits` become properties of the person, and `context` becomes properties of the event. ' +
  'A message that is sent again under the same `messageId` is a duplicate.';

/** Accepts the messages of Segment's tracking API, so that its SDKs and those of RudderStack work unchanged. */
@ApiTags('Capture')
@Controller()
@UseFilters(RefusedTokensFilter)
export class SegmentController {
  constructor(
    private readonly service: CaptureService,
    private readonly senders: Senders,
  ) {}

  @Post('v1/:type')
  @HttpCode(200)
  @ProjectToken()
  @RawBody()
  @TypeParameter()
  @ApiBody({
    description: 'One message, or a batch of messages of any type; plain or gzip. The limits are those of `/batch`.',
    schema: {
      ...segmentBodySchema,
      example: {
        writeKey: 'phc_3zYtq8mJvB0cQb1w5kUd7rN2xHs9LfGp4EaTiOyWMKj',
        batch: [
          { type: 'identify', messageId: 'm-1', userId: 'ada', traits: { email: 'ada@example.test' } },
          { type: 'track', messageId: 'm-2', userId: 'ada', event: 'signed up', properties: { plan: 'pro' } },
        ],
      },
    },
  })
  @CaptureErrors()
  @ApiConsumes('application/json')
  @ApiOperation({
    operationId: 'captureMessages',
    summary: "Capture messages of Segment's or RudderStack's SDKs",
    description: explained,
  })
  @ApiOkResponse({ type: SegmentReplyDto })
  messages(@Param('type') type: string, @Req() request: Request, @Now() now: Date): Promise<SegmentReplyDto> {
    return this.take(type, request, now);
  }

  @Get('v1/:type')
  @ProjectToken()
  @TypeParameter()
  @DataParameter()
  @CaptureErrors()
  @ApiOperation({
    operationId: 'captureMessagesByQuery',
    summary: 'Capture messages from ?data=',
    description: explained,
  })
  @ApiOkResponse({ type: SegmentReplyDto })
  messagesByQuery(@Param('type') type: string, @Req() request: Request, @Now() now: Date): Promise<SegmentReplyDto> {
    return this.take(type, request, now);
  }

  private async take(name: string, request: Request, now: Date): Promise<SegmentReplyDto> {
    const type = typeOf(name);
    if (type === undefined) throw notFound(`there is no route ${request.path}`);
    const reply = await this.service.capture(await captureRequest(request), {
      now,
      engage: false,
      sender: this.senders.of(request),
      dialect: segmentDialect(type),
    });
    return { success: true, ...reply };
  }
}

/** Returns the type of a path; null for a batch, undefined for an unknown path. Browser clients send only the first letter. */
const typeOf = (name: string): MessageType | null | undefined => {
  const path = paths.find((known) => known === name || known.slice(0, 1) === name);
  return path === 'batch' ? null : path;
};
