import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../kernel/access/access.js';
import { serviceVersion } from '../../platform/config/version.js';
import { Config } from '../../platform/config/config.js';
import { ConsoleDto, OidcDto } from './console.dto.js';

const version = serviceVersion();

@ApiTags('Users')
@ApiExtraModels(OidcDto)
@Controller('api/console')
export class ConsoleController {
  constructor(private readonly config: Config) {}

  @Get()
  @Public()
  @ApiOperation({
    operationId: 'getConsole',
    summary: 'What the console needs before anyone has signed in',
    description: 'The version, and the ways to sign in. 404 where `CONSOLE` is `off`.',
  })
  @ApiOkResponse({ type: ConsoleDto })
  get(): ConsoleDto {
    const { oidc } = this.config;
    return { version, oidc: oidc && { name: oidc.name }, docs: '/docs' };
  }
}
