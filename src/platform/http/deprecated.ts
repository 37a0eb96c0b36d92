import { applyDecorators, Header } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { declared, type Handler } from './handler.js';

export interface Deprecation {
  /** The day from which clients should stop using the route, such as `2027-03-01`. */
  readonly since: string;
  /** The day from which the route may be gone. */
  readonly sunset: string;
  /** The sentence that names what clients use instead. */
  readonly instead: string;
}

const Declared = Reflector.createDecorator<Deprecation>();

/** Announces the end of a route: in the headers of its answers (RFC 9745, RFC 8594) and in the API document. */
export const Deprecated = (deprecation: Deprecation): MethodDecorator =>
  applyDecorators(
    Declared(deprecation),
    Header('Deprecation', `@${Date.parse(deprecation.since) / 1000}`),
    Header('Sunset', new Date(deprecation.sunset).toUTCString()),
  );

export const deprecationOf = (handler: Handler): Deprecation | null => declared.get(Declared, handler) ?? null;
