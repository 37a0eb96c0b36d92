import { promisify } from 'node:util';
import { type InputType, type ZlibOptions, brotliDecompress, gunzip, inflate } from 'node:zlib';
import { invalidInput, parseError, tooLarge, unsupportedMediaType } from '../errors/problem.js';
import { type BodyLimits, bodyLimitsOf, isRawBody, megabyte, sizeText } from './body-limit.js';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { readJsonBody } from '../values/json.js';
import { declared } from './handler.js';
import { counterOf, readRawBody } from './raw-body.js';
import { assertStillAdmitted } from './watch-admission.js';
import { RequestProperty } from './request-context.js';

type Unpacking = (bytes: InputType, options: ZlibOptions) => Promise<Buffer>;

const unpackings = new Map<string, Unpacking>([
  ['gzip', promisify(gunzip)],
  ['x-gzip', promisify(gunzip)],
  ['deflate', promisify(inflate)],
  ['br', promisify(brotliDecompress)],
]);

/** The largest allowed ratio. JSON seldom shrinks to less than a fiftieth; unpacking more would cost us more than the sender. */
const maxRatio = 100;
const freeOfRatio = megabyte;

/** Reverses `Content-Encoding` off the event loop, up to `maxBytes`. */
const unpack = async (bytes: Buffer, encoding: string | undefined, maxBytes: number): Promise<Buffer> => {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity') return bytes;
  const unpacking = unpackings.get(name);
  if (!unpacking) throw unsupportedMediaType('Content-Encoding must be gzip, deflate, br or identity');
  const byRatio = Math.max(freeOfRatio, maxRatio * bytes.length);
  try {
    return await unpacking(bytes, { maxOutputLength: Math.min(maxBytes, byRatio) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_BUFFER_TOO_LARGE')
      throw parseError(`The body is not complete ${name} data`);
    if (byRatio < maxBytes)
      throw tooLarge(`The body unpacks to more than ${maxRatio} times its size: send it without Content-Encoding`);
    throw tooLarge(`The body must not unpack to more than ${sizeText(maxBytes)} on this route`);
  }
};

const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** Marks a handler that also takes a form, which an interceptor reads. */
export const FormBody = Reflector.createDecorator<boolean, boolean>({ transform: () => true });

/** Marks a handler whose body is a list. */
export const ListBody = Reflector.createDecorator<boolean, boolean>({ transform: () => true });

export const isForm = (request: Request): boolean => Boolean(request.is('multipart/form-data'));

const sent = new RequestProperty<Buffer>('sent bytes');

/** The bytes of a JSON body, unpacked; null when no JSON was sent. */
export const sentBytesOf = (request: Request): Buffer | null => sent.get(request) ?? null;

/**
 * Reads the body. It runs after AccessGuard, so that the service parses nothing for a request without a key.
 */
@Injectable()
export class BodyGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean | Promise<boolean> {
    const request = host.switchToHttp().getRequest<Request>();
    const handler = host.getHandler();
    if (!methodsWithBody.has(request.method) || isRawBody(handler)) return true;
    const takesForm = declared.get(FormBody, handler) ?? false;
    const takesList = declared.get(ListBody, handler) ?? false;
    return (
      (takesForm && isForm(request)) || this.read(request, bodyLimitsOf(handler), { form: takesForm, list: takesList })
    );
  }

  private async read(request: Request, limits: BodyLimits, takes: Taken): Promise<true> {
    request.body = await readBody(request, limits, takes);
    await assertStillAdmitted(request);
    return true;
  }
}

/** The forms, besides a JSON object, that a handler takes. */
interface Taken {
  readonly form: boolean;
  readonly list: boolean;
}

const readBody = async (request: Request, limits: BodyLimits, takes: Taken): Promise<object> => {
  if (isEmpty(request)) return {};
  if (!request.is(['application/json', '+json'])) {
    // A client that waits for `100 Continue` sends chunks even if the body is empty.
    if (isOfUnknownLength(request) && (await readRawBody(request, limits.bytes)).length === 0) return {};
    throw unsupportedMediaType(
      `Send the body as Content-Type: application/json${takes.form ? ', or a file as a part of multipart/form-data' : ''}`,
    );
  }
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(request.get('content-type') ?? '')?.[1] ?? 'utf-8';
  if (!/^utf-?8$/i.test(charset)) throw unsupportedMediaType('Send JSON as UTF-8');
  const packed = await readRawBody(request, limits.bytes);
  const json = await unpack(packed, request.get('content-encoding'), limits.bytes);
  if (json.length === 0) return {};
  const refusal = json === packed ? null : counterOf(request)(json.length);
  if (refusal) throw refusal;
  const value = await readJsonBody(json, limits);
  if (Array.isArray(value) !== takes.list)
    throw invalidInput(`The body must be a JSON ${takes.list ? 'list' : 'object, not a list'}`);
  if (typeof value === 'string') {
    throw parseError('The body must be a JSON object, but is JSON text: encode the object once, not twice');
  }
  if (typeof value !== 'object' || value === null) throw parseError('The body must be a JSON object');
  sent.set(request, json);
  return value;
};

const isOfUnknownLength = (request: Request): boolean => request.headers['transfer-encoding'] !== undefined;

const isEmpty = (request: Request): boolean =>
  !isOfUnknownLength(request) && Number(request.headers['content-length'] ?? 0) === 0;
