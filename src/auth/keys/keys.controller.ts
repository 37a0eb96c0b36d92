import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Req } from '@nestjs/common';
import {
  ApiConflictResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiParam,
  ApiTags,
} from '@nestjs/swagger';
import { type Request } from 'express';
import { RequiresScope } from '../../common/access/access.js';
import { type Caller } from '../../common/access/caller.js';
import { problemResponse } from '../../common/errors/problem.dto.js';
import { CurrentCaller, Now } from '../../common/http/request-context.js';
import { PageQuery } from '../../common/pagination/page-query.js';
import { PageDto, pageOf, type Page } from '../../common/pagination/page.js';
import { maxKeysPerUser } from './key-cap.js';
import { CreateKeyDto, KeyDto, UpdateKeyDto } from './key.dto.js';
import { KeysService } from './keys.service.js';

const KeyId = () => ApiParam({ name: 'id', format: 'uuid', description: 'Id of one of your keys.' });

@ApiTags('Keys')
@Controller('api/personal_api_keys')
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Get()
  @RequiresScope('api_key:read')
  @ApiOperation({ operationId: 'listKeys', summary: 'Your keys, newest first' })
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
  @ApiOperation({ operationId: 'createKey', summary: 'Create a key; the only time its text is shown' })
  @ApiCreatedResponse({ type: KeyDto })
  @ApiConflictResponse(problemResponse(`The user has ${maxKeysPerUser} keys, the most that are allowed.`))
  create(@CurrentCaller() caller: Caller, @Body() body: CreateKeyDto, @Now() now: Date): Promise<KeyDto> {
    return this.keys.createFor(caller, body, now);
  }

  @Get('@current')
  @RequiresScope()
  @ApiOperation({ operationId: 'getCurrentKey', summary: 'The key of this request' })
  @ApiOkResponse({ type: KeyDto })
  current(@CurrentCaller() caller: Caller): Promise<KeyDto> {
    return this.keys.get(caller, caller.keyId);
  }

  @Get(':id')
  @RequiresScope('api_key:read')
  @KeyId()
  @ApiOperation({ operationId: 'getKey', summary: 'One of your keys' })
  @ApiOkResponse({ type: KeyDto })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<KeyDto> {
    return this.keys.get(caller, id);
  }

  @Patch(':id')
  @RequiresScope('api_key:write')
  @KeyId()
  @ApiOperation({
    operationId: 'updateKey',
    summary: 'Rename, narrow or widen a key, never beyond the key of this request',
  })
  @ApiOkResponse({ type: KeyDto })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() body: UpdateKeyDto,
    @Now() now: Date,
  ): Promise<KeyDto> {
    return this.keys.update(caller, id, body, now);
  }

  @Delete(':id')
  @RequiresScope('api_key:write')
  @HttpCode(204)
  @KeyId()
  @ApiOperation({ operationId: 'revokeKey', summary: 'Revoke a key at once' })
  @ApiNoContentResponse()
  revoke(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<void> {
    return this.keys.revoke(caller, id);
  }
}
