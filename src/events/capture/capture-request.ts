import { type Request } from 'express';
import { readRawBody } from '../../platform/http/raw-body.js';
import { contextOf } from '../../platform/http/request-context.js';
import { type RequestLimits } from '../../auth/limits/request-limits.js';
import { type CaptureOptions } from './capture.service.js';
import { type CaptureRequest } from './decode.js';
import { maxBatchBytes } from '../../kernel/event-log/normalise/limits.js';

export const captureRequest = async (request: Request): Promise<CaptureRequest> => ({
  method: request.method,
  query: new URL(request.originalUrl, 'http://localhost').searchParams,
  headers: request.headers,
  body: request.method === 'POST' ? await readRawBody(request, maxBatchBytes) : Buffer.alloc(0),
});

/** Options of a capture: unknown tokens of the sender are limited, and the log names the project of a known token. */
export const lookUpOf = (
  request: Request,
  limits: RequestLimits,
): Pick<CaptureOptions, 'beforeLookup' | 'onProject'> => ({
  beforeLookup: () => limits.refuseUsedUp(request),
  onProject: (projectId) => {
    contextOf(request).tokenProjectId = projectId;
  },
});
