import { type NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response } from 'express';
import { readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { RequestLimits } from '../../auth/limits/request-limits.js';
import { deliveredPath } from '../../platform/config/version.js';
import { type Logger } from '../../platform/telemetry/logger.js';

/** The files of the console, which `npm run console` builds. */
const builtFolder = deliveredPath('console/dist');

/** The paths of the console's pages. The same document is served at all of them. */
const pagePaths = /^\/($|sign-in\/?$|invitation\/?$|shared\/?$|p\/)/;

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The component library writes style elements; scripts come from files of this origin only. */
const policy = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** The endings of the compressed copies that the build writes next to each file. */
const suffixes = { br: '.br', gzip: '.gz' } as const;

/** The paths below `folder`, as `/assets/index.js`; none when it does not exist. */
const filesOf = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length));
  } catch {
    return [];
  }
};

/**
 * Serves the console's files. Only paths that existed at the start are served, so no path of a request can lead elsewhere.
 * Files below /assets have a hash of their content in their names and never change.
 */
export const serveConsole = (app: NestExpressApplication, logger: Logger): void => {
  const files = new Set(filesOf(builtFolder));
  if (!files.has('/index.html')) {
    logger.warn('the console is not built, so / leads to /docs: run `npm run console` and start again');
    return;
  }
  const limits = app.get(RequestLimits);

  const send = (request: Request, response: Response, path: string): void => {
    const encoding = request.acceptsEncodings('br', 'gzip');
    const suffix = encoding === 'br' || encoding === 'gzip' ? suffixes[encoding] : '';
    const isCompressed = suffix !== '' && files.has(path + suffix);
    if (isCompressed) response.setHeader('Content-Encoding', String(encoding));
    response.setHeader('Content-Type', types[extname(path)] ?? 'application/octet-stream');
    response.setHeader('Content-Security-Policy', policy);
    response.vary('Accept-Encoding');
    const cacheControl = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    response.sendFile(join(builtFolder, path + (isCompressed ? suffix : '')), {
      cacheControl: false,
      headers: { 'Cache-Control': cacheControl },
    });
  };

  app.use((request: Request, response: Response, next: NextFunction): void => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next();
    } else if (pagePaths.test(request.path) && request.accepts(['json', 'html', 'text/markdown']) === 'html') {
      limits.countUnauthenticated(request).then(() => {
        response.vary('Accept');
        if (request.path.startsWith('/shared')) response.setHeader('X-Robots-Tag', 'noindex, nofollow');
        send(request, response, '/index.html');
      }, next);
    } else if (request.path !== '/index.html' && types[extname(request.path)] && files.has(request.path)) {
      send(request, response, request.path);
    } else {
      next();
    }
  });
};
