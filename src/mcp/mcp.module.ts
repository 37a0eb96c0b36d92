import { Module } from '@nestjs/common';
import { McpController } from './mcp.controller.js';
import { McpDoor } from './mcp-door.js';
import { OwnRequests } from './own-requests.js';
import { Resources } from './resources.js';
import { ToolCalls } from './tools/tool-calls.js';

@Module({ controllers: [McpController], providers: [McpDoor, OwnRequests, Resources, ToolCalls] })
export class McpModule {}
