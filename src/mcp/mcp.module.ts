import { type DynamicModule, type MiddlewareConsumer, Module, type NestModule, RequestMethod } from '@nestjs/common';
import { AccountsModule } from '../auth/accounts.module.js';
import { Config } from '../platform/config/config.js';
import { McpController } from './mcp.controller.js';
import { McpDoor } from './mcp-door.js';
import { OwnRequests } from './own-requests.js';
import { Resources } from './resources.js';
import { AccessTokenMiddleware } from './sign-on/access-token.middleware.js';
import { hasSignOn } from './sign-on/challenge.filter.js';
import { ProtectedResourceController } from './sign-on/protected-resource.controller.js';
import { ToolCalls } from './tools/tool-calls.js';

@Module({})
export class McpModule implements NestModule {
  constructor(private readonly config: Config) {}

  /** The description of the sign-on exists only where there is one. */
  static forRoot(config: Config): DynamicModule {
    const isSignOn = hasSignOn(config);
    return {
      module: McpModule,
      imports: isSignOn ? [AccountsModule] : [],
      controllers: [McpController, ...(isSignOn ? [ProtectedResourceController] : [])],
      providers: [McpDoor, OwnRequests, Resources, ToolCalls],
    };
  }

  configure(consumer: MiddlewareConsumer): void {
    if (hasSignOn(this.config))
      consumer.apply(AccessTokenMiddleware).forRoutes({ path: 'mcp', method: RequestMethod.POST });
  }
}
