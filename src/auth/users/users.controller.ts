import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentCaller, RequiresScope } from '../../kernel/access/access.js';
import { type Caller } from '../../kernel/access/caller.js';
import { MeDto } from './me.dto.js';
import { UsersService } from './users.service.js';

@ApiTags('Users')
@Controller('api/users')
export class UsersController {
  constructor(private readonly users: UsersService) {}

  @Get('@me')
  @RequiresScope('user:read')
  @ApiOperation({ operationId: 'getMe', summary: 'The user behind the key or the session' })
  @ApiOkResponse({ type: MeDto })
  me(@CurrentCaller() caller: Caller): Promise<MeDto> {
    return this.users.me(caller);
  }
}
