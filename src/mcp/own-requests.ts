import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { type Request } from 'express';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { tooLarge } from '../platform/errors/problem.js';
import { contextOf } from '../platform/http/request-context.js';

export interface OwnRequest {
  readonly method: string;
  /** The path with the query. */
  readonly path: string;
  readonly body?: string;
  readonly idempotencyKey?: string;
}

export interface OwnAnswer {
  readonly status: number;
  readonly location: string | null;
  readonly text: string;
}

/** The headers of a caller by which the service knows who it is, where it is, and how it reached the service. */
const passedOn = [
  ...['authorization', 'cookie', 'origin', 'sec-fetch-site', 'host', 'user-agent', 'x-test-now', 'traceparent'],
  ...['forwarded', 'x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'],
];

/** No longer answer is read: no tool shows more than a fraction of this. */
const maxAnswerBytes = 4 * 1024 ** 2;

/**
 * Sends requests to this service as the caller of another request. They take the way of every request, over a connection in
 * memory, so that keys, scopes, limits and the audit trail hold without a second set of rules.
 */
@Injectable()
export class OwnRequests {
  constructor(private readonly host: HttpAdapterHost) {}

  async send(
    caller: Request,
    { method, path, body, idempotencyKey }: OwnRequest,
    signal?: AbortSignal,
  ): Promise<OwnAnswer> {
    const headers = passedOn.flatMap((name): [string, string][] => {
      const value = caller.get(name);
      return value === undefined ? [] : [[name, value]];
    });
    const sent = httpRequest({
      ...{ method, path, signal },
      createConnection: () => this.connection(caller),
      headers: {
        ...Object.fromEntries(headers),
        'x-request-id': contextOf(caller).requestId,
        accept: 'application/json, text/plain',
        ...(body === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
    });
    sent.end(body);
    const [answer] = (await once(sent, 'response', { signal })) as [IncomingMessage];
    return { status: answer.statusCode ?? 500, location: answer.headers.location ?? null, text: await textOf(answer) };
  }

  /** Has the address of the caller, by which connections and requests are limited. */
  private connection({ socket: { remoteAddress } }: Request): Duplex {
    const [here, there] = duplexPair();
    // This side reads until the end of an answer, so that no time-out is needed.
    Object.assign(there, { remoteAddress, setTimeout: () => there });
    here.once('close', () => there.destroy());
    there.once('close', () => here.destroy());
    (this.host.httpAdapter.getHttpServer() as Server).emit('connection', there);
    return here;
  }
}

const textOf = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes)
      throw tooLarge('The answer is longer than 4 MB: ask for fewer records, or for less of each by query_sql');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
