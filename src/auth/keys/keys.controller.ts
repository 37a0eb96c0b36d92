import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
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
import { CurrentAuthor, CurrentCaller, RequiresScope, callerOf } from '../../kernel/access/access.js';
import { type Caller } from '../../kernel/access/caller.js';
import { type Author } from '../../kernel/access/author.js';
import { problemResponse } from '../../platform/errors/problem.dto.js';
import { notFound, permissionDenied } from '../../platform/errors/problem.js';
import { type Page, PageDto, PageQuery, pageOf } from '../../platform/http/page.dto.js';
import { Idempotent } from '../../kernel/idempotency/idempotent.js';
import { maxKeysPerUser } from './key-cap.js';
import { KeyCreationsDto } from './key-creations.dto.js';
import { maxCreations } from './key-creations.js';
import { CreateKeyBody, KeyDto, RevokeKeyQuery, RotateKeyBody, UpdateKeyBody } from './key.dto.js';
import { KeysService } from './keys.service.js';

const ruling =
  'A key rules over itself, and over those keys of its user that do not exceed it in scopes, projects or expiry. ' +
  'Stronger keys answer 404, like unknown ones. A signed-in user rules over all keys of the user.';

const WouldRevokeItself = () =>
  ApiConflictResponse(problemResponse('The key of this request descends from that key and would be revoked too.'));

/**
 * Repeated requests get the key without its text, which is shown once and stored nowhere, and only if the caller may still manage
 * the key.
 */
const replay = {
  reader: KeysService,
  keep: ({ id }: KeyDto) => ({ id }),
  read: (keys: KeysService, { id }: { readonly id: string }, request: Request) => keys.get(callerOf(request), id),
};

const KeyId = () => ApiParam({ name: 'id', format: 'uuid', description: 'The id of one of your keys.' });

@ApiTags('Keys')
@Controller('api/personal_api_keys')
export class KeysController {
  constructor(
    private readonly keys: KeysService,
    private readonly activities: ActivityRepository,
  ) {}

  @Get()
  @RequiresScope('api_key:read')
  @ApiOperation({
    operationId: 'listKeys',
    summary: 'Your keys that this key rules over, newest first',
    description: ruling,
  })
  @ApiOkResponse({ type: PageDto(KeyDto) })
  async list(
    @Req() request: Request,
    @CurrentCaller() caller: Caller,
    @Query() page: PageQuery,
  ): Promise<Page<KeyDto>> {
    return pageOf(request, page, await this.keys.list(caller, page));
  }

  @Post()
  @RequiresScope('api_key:write')
  @Idempotent({
    ...replay,
    says: 'gets the key as it is now, without its text: when the first answer is lost, revoke the key and create another one under a new `Idempotency-Key`',
  })
  @ApiOperation({
    operationId: 'createKey',
    summary: 'Create a key; only this answer contains its text',
    description:
      'The new key cannot exceed the key of this request, and is revoked with it. A key that a signed-in user makes cannot exceed ' +
      'the roles of the user in the projects of the key, and is revoked when it does.',
  })
  @ApiCreatedResponse({ type: KeyDto })
  @ApiConflictResponse(problemResponse(`The user already has ${maxKeysPerUser} keys, which is the limit.`))
  @ApiNotFoundResponse(
    problemResponse(
      'The key that the first request with this `Idempotency-Key` created is revoked, or stronger than yours.',
    ),
  )
  create(
    @CurrentCaller() caller: Caller,
    @Body() body: CreateKeyBody,
    @CurrentAuthor() author: Author,
  ): Promise<KeyDto> {
    return this.keys.createFor(caller, body, author);
  }

  @Get('@current')
  @RequiresScope()
  @ApiOperation({ operationId: 'getCurrentKey', summary: 'The key of this request' })
  @ApiOkResponse({ type: KeyDto })
  @ApiNotFoundResponse(problemResponse('The request has a session, not a key.'))
  current(@CurrentCaller() caller: Caller): Promise<KeyDto> {
    if (caller.keyId === null) throw notFound('a session has no key: list your keys instead');
    return this.keys.get(caller, caller.keyId);
  }

  @Get('activity')
  @RequiresScope('activity_log:read', 'api_key:read')
  @ApiOperation({
    operationId: 'listKeysActivity',
    summary: 'Activity of your keys, newest first',
    description:
      'Creations, changes, rotations and revocations, with label, mask, scopes, projects and expiry, never the text of a key. ' +
      'The log covers all your keys, so a key must not be limited to projects.',
  })
  @ApiActivityResponse()
  async activity(
    @Req() request: Request,
    @Res() response: Response,
    @CurrentCaller() { keyId, userId, projectIds }: Caller,
    @Query() query: ActivityQuery,
  ): Promise<void> {
    if (keyId !== null && projectIds !== null) {
      throw permissionDenied('This key is limited to certain projects; only a key for all projects can read this log');
    }
    await sendActivity(request, response, this.activities, { accountOf: userId }, { scope: 'PersonalApiKey' }, query);
  }

  @Get(':id')
  @RequiresScope('api_key:read')
  @KeyId()
  @ApiOperation({ operationId: 'getKey', summary: 'One of your keys that this key rules over', description: ruling })
  @ApiOkResponse({ type: KeyDto })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<KeyDto> {
    return this.keys.get(caller, id);
  }

  @Get(':id/creations')
  @RequiresScope('api_key:read')
  @KeyId()
  @ApiOperation({
    operationId: 'listKeyCreations',
    summary: 'What a key has made that gives access and is still there',
    description:
      `${ruling} Look here before you revoke a key that may have been stolen: open invitations and links to set passwords end ` +
      'with the key, and the rest stays. The entry of the revocation in `personal_api_keys/activity` has the same lists. ' +
      `Each has at most ${maxCreations} items.`,
  })
  @ApiOkResponse({ type: KeyCreationsDto })
  creations(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<KeyCreationsDto> {
    return this.keys.creations(caller, id);
  }

  @Patch(':id')
  @RequiresScope('api_key:write')
  @KeyId()
  @ApiOperation({
    operationId: 'updateKey',
    summary: 'Rename, narrow or widen a key, never beyond the key of this request',
    description: `${ruling} Narrowing a key revokes the keys it made, directly or not, that exceed its new grant, and ends its open invitations and links.`,
  })
  @ApiOkResponse({ type: KeyDto })
  @WouldRevokeItself()
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateKeyBody,
    @CurrentAuthor() author: Author,
  ): Promise<KeyDto> {
    return this.keys.update(caller, id, body, author);
  }

  @Post(':id/rotate')
  @HttpCode(200)
  @RequiresScope('api_key:write')
  @KeyId()
  @Idempotent({
    ...replay,
    says: 'gets the key as it is now, without its text: when the first answer is lost, rotate the key again under a new `Idempotency-Key`',
  })
  @ApiOperation({
    operationId: 'rotateKey',
    summary: 'Give a key a new secret; only this answer contains it',
    description:
      `${ruling} The id, the rights and the keys that it made stay. The previous secret works for \`overlap_seconds\` more, and is ` +
      'then refused like an unknown key; another rotation meanwhile ends it at once. A key that another key rotates counts as made by ' +
      'that key, and is revoked with it.',
  })
  @ApiOkResponse({ type: KeyDto })
  @ApiConflictResponse(problemResponse('The key has expired, or the key of this request descends from it.'))
  rotate(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: RotateKeyBody,
    @CurrentAuthor() author: Author,
  ): Promise<KeyDto> {
    return this.keys.rotate(caller, id, body, author);
  }

  @Delete(':id')
  @RequiresScope('api_key:write')
  @HttpCode(204)
  @KeyId()
  @ApiOperation({
    operationId: 'revokeKey',
    summary: 'Revoke a key at once, and the keys it made',
    description:
      `${ruling} The keys it made, directly or not, are revoked with it unless \`children=keep\` is set; ` +
      'keys that a stronger key has widened beyond the key of this request stay. ' +
      'Open invitations and links to set passwords that it made end. Members, users and webhooks stay: `creations` lists them.',
  })
  @ApiNoContentResponse()
  @WouldRevokeItself()
  revoke(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Query() { children = 'revoke' }: RevokeKeyQuery,
    @CurrentAuthor() author: Author,
  ): Promise<void> {
    return this.keys.revoke(caller, id, children, author);
  }
}
