import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Request, type Response } from 'express';
import { type Transform } from 'node:stream';
import { promisify } from 'node:util';
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib';
import { type IncomingMessage, type ServerResponse } from 'node:http';
import { RequestProperty } from './request-context.js';

type Encoding = 'br' | 'gzip';

/** Below this size the headers and the work cost more than the bytes that are saved. */
const leastBytes = 1024;

/** These levels take half of the time of the default ones, and make answers a few per cent larger. */
const gzipOptions = { level: 4 };
const brotliOptions = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_LGWIN]: 19 },
};

/**
 * The size of a compressed answer can betray a secret that is next to text of an attacker. So only these are compressed: answers
 * below a project, except invitations, whose links are secrets; and documents, which are the same for all callers.
 */
const compressiblePaths =
  /^\/(api\/(?:projects|environments)\/[^/]+\/(?!invitations).|docs(\/|$)|openapi\.(json|yaml)$|metrics$)/;

const compressibleTypes =
  /^(text\/(?!event-stream)|application\/(problem\+)?json|application\/x-ndjson|application\/javascript|application\/yaml)/;

/** Returns null if the answer must be sent uncompressed. Adds `Vary` if the answer depends on the encodings of the client. */
const encodingFor = (request: Request, response: Response): Encoding | null => {
  const path = request.originalUrl.split('?', 1)[0] ?? '';
  const type = response.getHeader('Content-Type');
  if (typeof type !== 'string' || !compressibleTypes.test(type) || !compressiblePaths.test(path)) return null;
  if (response.hasHeader('Content-Encoding') || request.method === 'HEAD') return null;
  response.vary('Accept-Encoding');
  const accepted = request.acceptsEncodings('gzip', 'br', 'identity');
  return accepted === 'gzip' || accepted === 'br' ? accepted : null;
};

const [gzipped, brotlied] = [promisify(gzip), promisify(brotliCompress)];

/** Compresses on another thread, so that the event loop is free. */
const compressed = (text: string, encoding: Encoding): Promise<Buffer> =>
  encoding === 'gzip' ? gzipped(text, gzipOptions) : brotlied(text, brotliOptions);

/** Compresses every answer that is sent as a whole. */
export const compressAnswers = (app: NestExpressApplication): void => {
  const { response: prototype } = app.getHttpAdapter().getInstance() as unknown as { response: Response };
  const send = prototype.send;
  const underWay = new WeakSet<Response>();
  prototype.send = function (this: Response, body?: unknown): Response {
    if (underWay.has(this)) return this;
    const isLong = typeof body === 'string' && body.length >= leastBytes;
    const encoding = isLong ? encodingFor(this.req, this) : null;
    if (encoding === null) return send.call(this, body);
    underWay.add(this);
    compressed(body as string, encoding).then(
      (bytes) => {
        underWay.delete(this);
        if (this.destroyed) return;
        this.setHeader('Content-Encoding', encoding);
        send.call(this, bytes);
      },
      (error: unknown) => this.destroy(error instanceof Error ? error : undefined),
    );
    return this;
  };
};

/** The streams that compress an answer on its way to the response. Call it when the headers are set and not yet sent. */
export const compressionStages = (response: Response): Transform[] => {
  const encoding = encodingFor(response.req, response);
  if (encoding === null) return [];
  response.setHeader('Content-Encoding', encoding);
  return [encoding === 'gzip' ? createGzip(gzipOptions) : createBrotliCompress(brotliOptions)];
};

const counts = new RequestProperty<number>('sent rows');

/** Counts the rows of a list or file for the audit trail. Call it before they are sent. */
export const countRows = ({ req }: Pick<ServerResponse, 'req'>, rows: number): void => {
  counts.set(req, (counts.get(req) ?? 0) + rows);
};

/** The number of counted rows; null for an answer that is no list. An interrupted answer may have had fewer rows. */
export const sentRowsOf = (request: IncomingMessage): number | null => counts.get(request) ?? null;
