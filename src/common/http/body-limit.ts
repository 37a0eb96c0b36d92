import { type JsonLimits } from '../json/json-size.js';
import { jsonLimits } from '../json/read-json.js';

export interface BodyLimits extends JsonLimits {
  /** Limits the body as received, and again its unpacked form. */
  readonly bytes: number;
}

export const kilobyte = 1024;
export const megabyte = 1024 * kilobyte;

const usual: BodyLimits = { ...jsonLimits, bytes: 100 * kilobyte };

const larger = new WeakMap<object, BodyLimits>();

/** Sets how large a JSON body of this route may be; the default is 100 kB. The API document states it too. */
export const BodyLimit =
  (bytes: number, limits: Partial<JsonLimits> = {}): MethodDecorator =>
  (_target, _name, descriptor) => {
    larger.set(descriptor.value as object, { ...usual, ...limits, bytes });
  };

export const bodyLimitsOf = (handler: object): BodyLimits => larger.get(handler) ?? usual;

const unbuffered = new WeakSet<object>();

/** The body is not read before the handler runs: the handler reads the stream itself, or needs no body. */
export const RawBody = (): MethodDecorator => (_target, _name, descriptor) => {
  unbuffered.add(descriptor.value as object);
};

export const isRawBody = (handler: object): boolean => unbuffered.has(handler);

export const sizeText = (bytes: number): string =>
  bytes >= megabyte ? `${bytes / megabyte} MB` : `${bytes / kilobyte} kB`;
