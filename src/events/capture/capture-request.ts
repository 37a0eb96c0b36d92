import { type Request } from 'express';
import { readRawBody } from '../../common/http/raw-body.js';
import { type CaptureRequest } from './decode.js';
import { maxBatchBytes } from './limits.js';

export const captureRequest = async (request: Request): Promise<CaptureRequest> => ({
  method: request.method,
  query: new URL(request.originalUrl, 'http://localhost').searchParams,
  headers: request.headers,
  body: request.method === 'POST' ? await readRawBody(request, maxBatchBytes) : Buffer.alloc(0),
});
