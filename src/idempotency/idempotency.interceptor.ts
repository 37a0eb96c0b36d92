import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { createHash } from 'node:crypto';
import { firstValueFrom, of, type Observable } from 'rxjs';
import { conflict, invalidInput } from '../common/errors/problem.js';
import { sentBytesOf } from '../common/http/body.interceptor.js';
import { contextOf } from '../common/http/request-context.js';
import { uploadOf } from '../common/http/upload.js';
import { LOGGER, type Logger } from '../common/logging/logger.js';
import { answerRedactionKey, type AnswerRedaction } from './answer-redaction.js';
import { IdempotencyKeys, type KeyedRequest, type KeyedRun, type StoredAnswer } from './idempotency-keys.js';

const header = 'Idempotency-Key';
const retryAfterSeconds = '1';

/** Runs a request once per `Idempotency-Key`, and replays the answer when the request is sent again. */
@Injectable()
export class IdempotencyInterceptor implements NestInterceptor {
  constructor(
    private readonly keys: IdempotencyKeys,
    private readonly modules: ModuleRef,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const http = host.switchToHttp();
    const request = http.getRequest<Request>();
    const key = request.get(header);
    if (key === undefined) return next.handle();
    const redaction = this.redactionOf(host);
    const claim = await this.keys.claim(keyedRequest(request, checked(key)), contextOf(request).now);
    switch (claim.kind) {
      case 'ours':
        return of(await this.run(claim.run, next, request, http.getResponse<Response>(), redaction));
      case 'answered':
        return of(await replay(claim.answer, request, http.getResponse<Response>(), redaction));
      case 'running':
        throw conflict('A request with this Idempotency-Key is still running: try again', header, {
          'Retry-After': retryAfterSeconds,
        });
      case 'other request':
        throw conflict('This Idempotency-Key was used for another request: use a new one', header);
    }
  }

  private redactionOf(host: ExecutionContext): AnswerRedaction | null {
    const type = Reflect.getMetadata(answerRedactionKey, host.getHandler()) as Type<AnswerRedaction> | undefined;
    return type ? this.modules.get(type, { strict: false }) : null;
  }

  private async run(
    run: KeyedRun,
    next: CallHandler,
    request: Request,
    response: Response,
    redaction: AnswerRedaction | null,
  ): Promise<unknown> {
    let result: unknown;
    try {
      result = await firstValueFrom(next.handle(), { defaultValue: undefined });
    } catch (error) {
      await run
        .failed()
        .catch((reason: unknown) => this.warn('an idempotency key could not be freed', request, reason));
      throw error;
    }
    const answer = {
      status: response.statusCode,
      location: response.get('Location') ?? null,
      body: JSON.stringify((redaction ? redaction.redact(result) : result) ?? null),
    };
    // The work is done, so the answer is sent even when it cannot be replayed later.
    await run
      .answered(answer)
      .catch((reason: unknown) => this.warn('the answer to an idempotency key could not be stored', request, reason));
    return result;
  }

  private warn(message: string, request: Request, reason: unknown): void {
    const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
    this.logger.warn({ request_id: contextOf(request).requestId, code }, message);
  }
}

const checked = (key: string): string => {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidInput(`${header} must have 1 to 255 printable ASCII characters`, header);
};

const replay = async (
  { status, location, body }: StoredAnswer,
  request: Request,
  response: Response,
  redaction: AnswerRedaction | null,
): Promise<unknown> => {
  const stored = JSON.parse(body) as unknown;
  const { project } = contextOf(request);
  const answer = redaction && project ? await redaction.restore(stored, project, request) : stored;
  response.status(status).set('Idempotent-Replayed', 'true');
  if (location !== null) response.set('Location', location);
  return answer;
};

const keyedRequest = (request: Request, key: string): KeyedRequest => {
  const { caller, project } = contextOf(request);
  if (caller === null || project === null) throw new Error('@Idempotent() is used on a route outside projects');
  const { path: route } = request.route as { path: string };
  return {
    projectId: project.id,
    userId: caller.userId,
    route: `${request.method} ${route}`,
    key,
    hash: hashOf(request),
  };
};

const hashOf = (request: Request): Buffer =>
  createHash('sha256')
    .update(`${request.method} ${request.originalUrl}\n`)
    .update(sentBytesOf(request) ?? bodyText(request))
    .update(uploadOf(request)?.sha256 ?? '')
    .digest();

/** Returns the fields of a form, which were not sent as JSON. */
const bodyText = (request: Request): string => {
  try {
    return JSON.stringify(request.body ?? null);
  } catch {
    throw invalidInput('The body nests too deeply');
  }
};
