import { HttpStatus, Injectable, RequestMethod } from '@nestjs/common';
import { HTTP_CODE_METADATA, METHOD_METADATA, PATH_METADATA } from '@nestjs/common/constants.js';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { type AccessRule, accessRulesOf } from './access.js';
import { bodyLimitsOf, isRawBody } from '../../platform/http/body-limit.js';
import { type Deprecation, deprecationOf } from '../../platform/http/deprecated.js';
import { type Handler } from '../../platform/http/handler.js';

export interface Route {
  readonly method: string;
  /** The path as declared, such as `/api/projects/:project_id/persons/:id`. */
  readonly path: string;
  readonly rules: readonly AccessRule[];
  readonly controller: string;
  readonly handler: string;
  /** The limit in bytes; null when the body is not read before the handler runs. */
  readonly bodyLimit: number | null;
  /** True if the route exists only to refuse, with 405 or 404 and an explanation. */
  readonly refuses: boolean;
  readonly deprecation: Deprecation | null;
}

/** The statuses of routes that never answer with success. */
const refusals: readonly unknown[] = [HttpStatus.METHOD_NOT_ALLOWED, HttpStatus.NOT_FOUND];

/** Every registered route with its access rule, read from the decorators. */
@Injectable()
export class Routes {
  private known: readonly (Route & { readonly pattern: RegExp })[] | null = null;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
  ) {}

  all(): readonly Route[] {
    return this.table();
  }

  /** The routes that match the path, whatever their method. */
  at(path: string): readonly Route[] {
    return this.table().filter(({ pattern }) => pattern.test(path));
  }

  private table(): readonly (Route & { readonly pattern: RegExp })[] {
    this.known ??= this.discovery.getControllers().flatMap(({ instance, metatype }) => {
      if (!metatype) return [];
      const prototype = Object.getPrototypeOf(instance) as Record<string, Handler>;
      return this.scanner.getAllMethodNames(prototype).flatMap((name) => {
        const handler = prototype[name];
        const method = handler && (Reflect.getMetadata(METHOD_METADATA, handler) as RequestMethod | undefined);
        if (!handler || method === undefined) return [];
        return pathsOf(metatype, handler).map((path) => ({
          method: RequestMethod[method],
          path,
          rules: accessRulesOf(handler),
          controller: metatype.name,
          handler: name,
          bodyLimit: isRawBody(handler) ? null : bodyLimitsOf(handler).bytes,
          refuses: refusals.includes(Reflect.getMetadata(HTTP_CODE_METADATA, handler)),
          deprecation: deprecationOf(handler),
          pattern: patternOf(path),
        }));
      });
    });
    return this.known;
  }
}

const pathsOf = (controller: object, handler: object): string[] => {
  const prefixes = [Reflect.getMetadata(PATH_METADATA, controller) as string | string[]].flat();
  const paths = [Reflect.getMetadata(PATH_METADATA, handler) as string | string[]].flat();
  return prefixes.flatMap((prefix) =>
    paths.map(
      (path) =>
        `/${[prefix, path]
          .map((part) => part.replace(/^\/|\/$/g, ''))
          .filter(Boolean)
          .join('/')}`,
    ),
  );
};

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split('/')
      .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
      .join('/')}/?$`,
  );
