import { Injectable } from '@nestjs/common';
import { type Request, type Response } from 'express';
import { callerOf } from '../kernel/access/access.js';
import { invalidInput, Problem, required, unavailable } from '../platform/errors/problem.js';
import { nearestName } from '../platform/errors/nearest-name.js';
import { serviceVersion } from '../platform/config/version.js';
import { signalOfClient } from '../platform/http/request-context.js';
import { ApiDocument } from './tools/api-document.js';
import {
  definitionOf,
  describedOperation,
  searchedTools,
  toolsFor,
  type ToolDefinition,
  type OfferedTool,
} from './tools/definitions.js';
import { refusalBy, ToolCalls, type ToolArguments, type CallOf, type ToolAnswer } from './tools/tool-calls.js';
import { OwnRequests } from './own-requests.js';
import { Resources } from './resources.js';

const instructions =
  'Product analytics: events, persons, cohorts. Begin with read_catalogue: names of events and properties are exact. ' +
  'A tool takes all arguments of its operation, more than its definition shows: describe lists them. search_tools finds a tool by words. ' +
  'project_id is needed only if the key opens several projects (read_project, operation projects). ' +
  'Answers are bounded: next_page has the arguments of the next page, left_out tells what is missing. ' +
  'Tools that delete or merge first answer a preview with a confirm token. Writing tools take idempotency_key.';

const readOnly = { readOnlyHint: true, openWorldHint: false };

/** The two tools by which a client learns more than the definitions have. */
const helpTools: readonly ToolDefinition[] = [
  {
    name: 'search_tools',
    description: 'Finds the tools and operations for what you want to do.',
    inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
    annotations: readOnly,
  },
  {
    name: 'describe',
    description: 'All arguments of an operation of a tool, with examples.',
    inputSchema: {
      type: 'object',
      properties: { tool: { type: 'string' }, operation: { type: 'string' } },
      required: ['tool'],
    },
    annotations: readOnly,
  },
];

/** `tools/list` of a caller. */
export const definitionsOf = (offered: readonly OfferedTool[]): readonly ToolDefinition[] => [
  ...offered.map(definitionOf),
  ...helpTools,
];

/**
 * Speaks the Model Context Protocol. Nothing is kept between two requests, so that any process answers any of them. The library
 * is loaded by the first request.
 */
@Injectable()
export class McpDoor {
  private document: Promise<ApiDocument> | null = null;

  constructor(
    private readonly own: OwnRequests,
    private readonly calls: ToolCalls,
    private readonly resources: Resources,
  ) {}

  async answer(request: Request, response: Response): Promise<void> {
    const { scopes } = callerOf(request);
    const signal = signalOfClient(response);
    const document = await this.documentOf(request);
    const call = { request, document, signal };
    const offered = toolsFor(document, scopes);
    const sdk = await import('./sdk.js');
    const server = new sdk.Server(
      { name: 'kohort', title: 'Kohort', version: serviceVersion() },
      { capabilities: { tools: {}, resources: {} }, instructions },
    );
    server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({ tools: [...definitionsOf(offered)] }));
    server.setRequestHandler(sdk.CallToolRequestSchema, async ({ params: { name, arguments: given = {} } }) => {
      const { isError, value } = await this.tool(call, offered, name, given);
      return { isError, content: [{ type: 'text' as const, text: JSON.stringify(value) }] };
    });
    server.setRequestHandler(sdk.ListResourcesRequestSchema, () => ({
      resources: [...this.resources.list(call, scopes)],
    }));
    server.setRequestHandler(sdk.ListResourceTemplatesRequestSchema, () => ({
      resourceTemplates: this.resources.templates(scopes) as { uriTemplate: string; name: string }[],
    }));
    server.setRequestHandler(sdk.ReadResourceRequestSchema, async ({ params: { uri } }) => {
      const { mimeType, text } = await this.resources.read(call, uri).catch((error: unknown) => {
        if (!(error instanceof Problem)) throw error;
        throw new sdk.McpError(sdk.resourceNotFound, error.detail, { uri });
      });
      return { contents: [{ uri, mimeType, text }] };
    });
    await sdk.answerHttp(server, request, response);
  }

  private async tool(
    call: CallOf,
    offered: readonly OfferedTool[],
    name: string,
    given: ToolArguments,
  ): Promise<ToolAnswer> {
    try {
      if (name === 'search_tools') return found(offered, given);
      if (name === 'describe') return described(call, offered, given);
      return await this.calls.call(call, toolNamed(offered, name), given);
    } catch (error) {
      if (error instanceof Problem) return refusalBy(error);
      throw error;
    }
  }

  /** Reads the document as each client reads it. It is the same as long as the process runs. */
  private documentOf(request: Request): Promise<ApiDocument> {
    this.document ??= this.own.send(request, { method: 'GET', path: '/openapi.json' }).then(({ status, text }) => {
      if (status === 200) return new ApiDocument(text);
      throw unavailable(`The description of the tools cannot be read: /openapi.json answered ${status}`);
    });
    return this.document.catch((error: unknown) => {
      this.document = null;
      throw error;
    });
  }
}

const toolNamed = (offered: readonly OfferedTool[], name: string): OfferedTool => {
  const known = offered.find((tool) => tool.name === name);
  if (known) return known;
  const names = [...offered.map((tool) => tool.name), ...helpTools.map((tool) => tool.name)];
  const nearest = nearestName(name, names);
  const hint = nearest === null ? `this key has ${names.join(', ')}` : `did you mean ${nearest}?`;
  throw invalidInput(`there is no tool ${name.slice(0, 100)} for this key: ${hint}`, 'name');
};

const found = (offered: readonly OfferedTool[], { query }: ToolArguments): ToolAnswer => {
  if (typeof query !== 'string') throw required('query');
  const results = searchedTools(offered, query.slice(0, 500));
  const tools = offered.map(({ name }) => name).join(', ');
  const hint =
    results.length > 0 ? 'describe has the arguments of each.' : `Nothing matches. The tools of this key: ${tools}`;
  return { isError: false, value: { results, hint } };
};

const described = ({ document }: CallOf, offered: readonly OfferedTool[], given: ToolArguments): ToolAnswer => {
  if (typeof given.tool !== 'string') throw required('tool');
  const tool = toolNamed(offered, given.tool);
  const words = [...tool.offered.keys()];
  const word = given.operation ?? (words.length === 1 ? words[0] : undefined);
  if (word === undefined) {
    const operations = [...tool.offered].map(
      ([
        operation,
        {
          operation: { summary },
        },
      ]) => ({ operation, summary }),
    );
    return { isError: false, value: { tool: tool.name, about: tool.about, operations } };
  }
  const operation = typeof word === 'string' ? tool.offered.get(word) : undefined;
  if (!operation) throw invalidInput(`operation must be one of ${words.join(', ')}`, 'operation');
  return { isError: false, value: { tool: tool.name, operation: word, ...describedOperation(document, operation) } };
};
