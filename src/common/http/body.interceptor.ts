import { Injectable, type CallHandler, type ExecutionContext, type NestInterceptor } from '@nestjs/common';
import { json, type Request, type Response } from 'express';
import { type Observable } from 'rxjs';
import { invalidInput, parseError, tooLarge, unsupportedMediaType, type Problem } from '../errors/problem.js';

const maxBytes = 20 * 1024 * 1024;
const parseJson = json({ limit: maxBytes, type: () => true });
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

const rawBodies = new WeakSet<object>();

/** The handler reads the request's stream itself. */
export const RawBody = (): MethodDecorator => (_target, _name, descriptor) => {
  rawBodies.add(descriptor.value as object);
};

const forms = new WeakSet<object>();

/** The handler also takes a form, which an interceptor of its own reads. */
export const FormBody = (): MethodDecorator => (_target, _name, descriptor) => {
  forms.add(descriptor.value as object);
};

export const isForm = (request: Request): boolean => Boolean(request.is('multipart/form-data'));

/** Reads the body only after the guard has let the request in: strangers cannot make us parse. */
@Injectable()
export class BodyInterceptor implements NestInterceptor {
  async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const request = host.switchToHttp().getRequest<Request>();
    const readsItself = rawBodies.has(host.getHandler()) || (forms.has(host.getHandler()) && isForm(request));
    if (methodsWithBody.has(request.method) && !readsItself)
      await readBody(request, host.switchToHttp().getResponse<Response>());
    return next.handle();
  }
}

const readBody = async (request: Request, response: Response): Promise<void> => {
  if (isEmpty(request)) {
    request.body = {};
    return;
  }
  if (!request.is(['application/json', '+json'])) {
    throw unsupportedMediaType('Send the body as Content-Type: application/json');
  }
  await new Promise<void>((resolve, reject) => {
    parseJson(request, response, (error?: unknown) => (error ? reject(problemOfBody(error)) : resolve()));
  });
  if (Array.isArray(request.body)) throw invalidInput('The body must be a JSON object, not a list');
};

const isEmpty = (request: Request): boolean =>
  request.headers['transfer-encoding'] === undefined && Number(request.headers['content-length'] ?? 0) === 0;

const problemOfBody = (error: unknown): Problem => {
  const type = error instanceof Error && 'type' in error ? error.type : null;
  switch (type) {
    case 'entity.too.large':
      return tooLarge(`The body must not exceed ${maxBytes / 1024 / 1024} MB`);
    case 'encoding.unsupported':
      return unsupportedMediaType('Content-Encoding must be gzip, deflate, br or identity');
    case 'charset.unsupported':
      return unsupportedMediaType('Send JSON as UTF-8');
    default:
      return parseError('The body is not valid JSON');
  }
};
