/* The parts of the library that the service uses. Loaded by the first request to /mcp, because they take 20 MB. */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Request as HttpRequest, type Response as HttpResponse } from 'express';
import { originOf } from '../platform/http/origin.js';

export {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  Server,
};

/** The code of the protocol for a resource that does not exist. */
export const resourceNotFound = -32002;

/** Lets a server answer one request whose body was read before. */
export const answerHttp = async (server: Server, request: HttpRequest, response: HttpResponse): Promise<void> => {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  try {
    const headers = Object.entries(request.headers).flatMap(([name, value]) =>
      [value ?? []].flat().map((text): [string, string] => [name, text]),
    );
    const received = new Request(`${originOf(request)}${request.path}`, { method: 'POST', headers });
    const answer = await transport.handleRequest(received, { parsedBody: request.body as unknown });
    const text = await answer.text();
    if (response.closed) return;
    response.status(answer.status);
    for (const [name, value] of answer.headers) response.setHeader(name, value);
    response.end(text);
  } finally {
    await server.close();
  }
};
