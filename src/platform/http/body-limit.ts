import { Reflector } from '@nestjs/core';
import { type JsonLimits, jsonLimits } from '../values/json.js';
import { declared, type Handler } from './handler.js';

export interface BodyLimits extends JsonLimits {
  /** Limits the body as received, and again its unpacked form. */
  readonly bytes: number;
}

export const kilobyte = 1024;
export const megabyte = 1024 * kilobyte;

const usual: BodyLimits = { ...jsonLimits, bytes: 100 * kilobyte };

const Limits = Reflector.createDecorator<BodyLimits>();

/** Sets how large a JSON body of this route may be; the default is 100 kB. The API document states it too. */
export const BodyLimit = (bytes: number, limits: Partial<JsonLimits> = {}): MethodDecorator =>
  Limits({ ...usual, ...limits, bytes });

export const bodyLimitsOf = (handler: Handler): BodyLimits => declared.get(Limits, handler) ?? usual;

/** The body is not read before the handler runs: the handler reads the stream itself, or needs no body. */
export const RawBody = Reflector.createDecorator<boolean, boolean>({ transform: () => true });

export const isRawBody = (handler: Handler): boolean => declared.get(RawBody, handler) ?? false;

export const sizeText = (bytes: number): string =>
  bytes >= megabyte ? `${bytes / megabyte} MB` : `${bytes / kilobyte} kB`;
