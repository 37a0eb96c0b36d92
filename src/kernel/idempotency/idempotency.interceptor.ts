import { Inject, Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { type Request, type Response } from 'express';
import { firstValueFrom, of, type Observable } from 'rxjs';
import { conflict, invalidInput } from '../../platform/errors/problem.js';
import { within } from '../../platform/time/within.js';
import { sentBytesOf } from '../../platform/http/body.guard.js';
import { bodyOf } from '../../platform/http/raw-body.js';
import { callerOf } from '../access/access.js';
import { contextOf } from '../../platform/http/request-context.js';
import { uploadOf } from '../../platform/http/form.interceptor.js';
import { LOGGER, type Logger } from '../../platform/telemetry/logger.js';
import { notingCommits } from '../../platform/postgres/transaction.js';
import { idempotencyKeyHeader as header } from './idempotency-parameter.js';
import { IdempotencyKeys, type KeyedRequest, type KeyedRun, type StoredAnswer } from './idempotency-keys.js';
import { idempotencyRuleKey, type IdempotencyRule, type AnswerReplay } from './idempotency-rule.js';
import { start, requestDigest } from './keyed-answers.js';

const retryAfterSeconds = '1';
/**
 * The answer to a failure waits this long for the key to be freed, because it must come within 2 s even while the database is
 * away. The key is otherwise freed after the answer.
 */
const freeingMs = 500;

/** No project has this id: routes outside projects keep their keys under it. */
const noProject = 0;

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
    const [request, response] = [http.getRequest<Request>(), http.getResponse<Response>()];
    const key = request.get(header);
    if (key === undefined) return next.handle();
    const rule = Reflect.getMetadata(idempotencyRuleKey, host.getHandler()) as IdempotencyRule;
    const claim = await this.keys.claim(keyedRequest(request, rule, checked(key)), contextOf(request).now);
    switch (claim.kind) {
      case 'ours':
        return of(await this.run(claim.run, next, request, response, rule));
      case 'answered':
        return this.replay(claim.answer, next, request, response, rule);
      case 'running':
        throw conflict('A request with this Idempotency-Key is still running: try again', header, {
          'Retry-After': retryAfterSeconds,
        });
      case 'unanswered':
        throw conflict(
          'The request with this Idempotency-Key was done, but its answer was lost with a connection or a process: ' +
            'read what it has changed, and do not send it again',
          header,
        );
      case 'other request':
        throw conflict('This Idempotency-Key was used for another request: use a new one', header);
    }
  }

  private async run(
    run: KeyedRun,
    next: CallHandler,
    request: Request,
    response: Response,
    rule: IdempotencyRule,
  ): Promise<unknown> {
    const digest = requestDigest(request);
    let isStored = false;
    const store = async (answer: unknown): Promise<void> => {
      if (isStored) return;
      isStored = true;
      const stored = {
        status: response.statusCode,
        location: response.get('Location') ?? null,
        body: JSON.stringify(storedAnswer(rule, request, answer)),
      };
      // The work is done, so the answer is sent even when it cannot be replayed later.
      await run
        .answered(stored, rule.kind === 'streamed' ? digest.digest() : null)
        .catch((reason: unknown) => this.warn('the answer to an idempotency key could not be stored', request, reason));
    };
    start(request, { name: run.name, store, digest });
    try {
      const work = (): Promise<unknown> => firstValueFrom(next.handle(), { defaultValue: undefined });
      const result = await (rule.kind === 'stored' ? notingCommits(run, work) : work());
      await store(result);
      return result;
    } catch (error) {
      const freeing = run
        .failed()
        .catch((reason: unknown) => this.warn('an idempotency key could not be freed', request, reason));
      await within(freeingMs, freeing);
      throw error;
    }
  }

  private async replay(
    { status, location, body }: StoredAnswer,
    next: CallHandler,
    request: Request,
    response: Response,
    rule: IdempotencyRule,
  ): Promise<Observable<unknown>> {
    const stored = JSON.parse(body) as unknown;
    if (rule.kind === 'repeated') {
      response.set('Idempotent-Replayed', 'true');
      contextOf(request).now = new Date((stored as Moment).at);
      return next.handle();
    }
    const answer = rule.replay ? await this.read(rule.replay, stored, request) : stored;
    response.status(status).set('Idempotent-Replayed', 'true');
    if (location !== null) response.set('Location', location);
    // Sends the answer itself, because Nest does not do it for a handler that sends its own answer.
    if (rule.kind === 'streamed') response.json(answer);
    return of(answer);
  }

  private read(replay: AnswerReplay, stored: unknown, request: Request): unknown {
    const { reader } = replay;
    return replay.read(reader && this.modules.get(reader, { strict: false }), stored, request);
  }

  private warn(message: string, request: Request, reason: unknown): void {
    const code = reason instanceof Error && 'code' in reason ? reason.code : undefined;
    this.logger.warn({ request_id: contextOf(request).requestId, code }, message);
  }
}

/** Stored in place of the answer to a request that only reads: the moment of the request, as ISO text. */
interface Moment {
  readonly at: string;
}

const storedAnswer = ({ kind, replay }: IdempotencyRule, request: Request, answer: unknown): unknown => {
  if (kind === 'repeated') return { at: contextOf(request).now.toISOString() } satisfies Moment;
  return (replay ? replay.keep(answer) : answer) ?? null;
};

const checked = (key: string): string => {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw invalidInput(`${header} must have 1 to 255 printable ASCII characters`, header);
};

const keyedRequest = (request: Request, { kind }: IdempotencyRule, key: string): KeyedRequest => {
  const { path: route } = request.route as { path: string };
  const digest = requestDigest(request);
  return {
    projectId: contextOf(request).project?.id ?? noProject,
    userId: callerOf(request).userId,
    route: `${request.method} ${route}`,
    key,
    ...(kind === 'streamed'
      ? { hash: digest.copy().digest(), streamedHash: () => hashOfStream(request) }
      : {
          hash: digest
            .update(bodyBytes(request))
            .update(uploadOf(request)?.sha256 ?? '')
            .digest(),
        }),
  };
};

/** Reads the body of a repeated request to its end, and keeps nothing of it. */
const hashOfStream = async (request: Request): Promise<Buffer> => {
  const digest = requestDigest(request);
  for await (const bytes of bodyOf(request)) digest.update(bytes);
  return digest.digest();
};

/** The JSON as it was sent, or the fields of a form, which were not sent as JSON. */
const bodyBytes = (request: Request): Buffer | string => {
  const sent = sentBytesOf(request);
  if (sent) return sent;
  try {
    return JSON.stringify(request.body ?? null);
  } catch {
    throw invalidInput('The body nests too deeply');
  }
};
