import { type CanActivate, type ExecutionContext, Injectable, type Type } from '@nestjs/common';
import { HTTP_CODE_METADATA, ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import { Reflector } from '@nestjs/core';
import { type Request } from 'express';
import { accessRulesOf } from './access.js';
import { invalidInput } from '../../platform/errors/problem.js';
import { fieldNamesOf } from '../../platform/http/field-decorators.js';
import { declared, type Handler } from '../../platform/http/handler.js';
import { unknownName } from '../../platform/errors/nearest-name.js';
import { presentationNames } from '../../platform/http/presentation-names.js';

export interface AcceptedParameters {
  readonly names: readonly string[];
  /**
   * Parameters of the reference product that the service lacks, with the reason. The values that switch such a parameter
   * off are accepted.
   */
  readonly unsupported: Readonly<Record<string, string>>;
}

/** Declares the parameters that the handler reads itself, from the query string or from the body. */
export const Accepts = Reflector.createDecorator<AcceptedParameters>();

const acceptedBy = (handler: Handler): AcceptedParameters | undefined => declared.get(Accepts, handler);

type Fields = Readonly<Record<string, unknown>>;

/**
 * Refuses parameters that the route does not know, because a misspelt name would silently change the answer. The known names
 * are those of the OpenAPI document. Capture and the other routes that SDKs call accept unknown parameters.
 */
@Injectable()
export class KnownParametersGuard implements CanActivate {
  private readonly known = new WeakMap<object, readonly string[]>();

  canActivate(host: ExecutionContext): true {
    const handler = host.getHandler();
    const request = host.switchToHttp().getRequest<Request>();
    const own = acceptedBy(handler);
    if (!own && Object.keys(request.query).length === 0) return true;
    if (!isStrict(host, request.path) || isMisspeltRoute(request)) return true;
    const names = this.namesOf(host.getClass(), handler);
    assertKnown(request.query, names, own);
    if (own) assertKnown((request.body ?? {}) as Fields, names, own);
    return true;
  }

  private namesOf(controller: Type<unknown>, handler: Handler): readonly string[] {
    const before = this.known.get(handler);
    if (before) return before;
    const names = [
      ...(acceptedBy(handler)?.names ?? []),
      ...documentedNames(handler),
      ...queryDtosOf(controller, handler.name).flatMap(fieldNamesOf),
    ];
    const known = [...new Set(names)];
    this.known.set(handler, known);
    return known;
  }
}

const isUndocumented = 'swagger/apiExcludeController';

/**
 * True if a word was sent where an id is expected, which is a misspelt route. The handler explains this, and the parameters,
 * which belong to the right route, are not checked.
 */
const isMisspeltRoute = ({ params: { id } }: Request): boolean => typeof id === 'string' && /^[a-z_]{2,}$/i.test(id);

/**
 * True for routes that require a key, and for documented public ones below /api. SDKs call the others, and send more than this
 * service reads.
 */
const isStrict = (host: ExecutionContext, path: string): boolean => {
  // A route that exists to refuse its method refuses it with any parameters.
  if (Reflect.getMetadata(HTTP_CODE_METADATA, host.getHandler()) === 405) return false;
  const kinds = accessRulesOf(host.getHandler()).map(({ kind }) => kind);
  if (kinds.includes('key')) return true;
  return kinds.includes('public') && path.startsWith('/api/') && !Reflect.hasMetadata(isUndocumented, host.getClass());
};

const assertKnown = (sent: Fields, known: readonly string[], own: AcceptedParameters | undefined): void => {
  for (const name of Object.keys(sent)) {
    if (known.includes(name) || presentationNames.includes(name)) continue;
    const reason = own && Object.hasOwn(own.unsupported, name) ? own.unsupported[name] : undefined;
    if (reason === undefined) throw unknownName(name, known);
    if (!isOff(sent[name])) throw invalidInput(`${name} is not supported: ${reason}`, name);
  }
};

const isOff = (value: unknown): boolean =>
  value === null || value === false || value === '' || value === 'false' || value === '0';

const documentedNames = (handler: object): string[] => {
  const parameters = (Reflect.getMetadata('swagger/apiParameters', handler) ?? []) as { name?: string; in?: string }[];
  return parameters.flatMap(({ name, in: place }) => (place === 'query' && name !== undefined ? [name] : []));
};

const queryDtosOf = (controller: Type<unknown>, method: string): Type<unknown>[] => {
  const args = (Reflect.getMetadata(ROUTE_ARGS_METADATA, controller, method) ?? {}) as Record<
    string,
    { readonly index: number }
  >;
  const types = (Reflect.getMetadata('design:paramtypes', controller.prototype as object, method) ??
    []) as Type<unknown>[];
  return Object.entries(args).flatMap(([key, { index }]) => {
    const type = types[index];
    return Number(key.split(':', 1)[0]) === Number(RouteParamtypes.QUERY) && type ? [type] : [];
  });
};
