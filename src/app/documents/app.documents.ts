import { type NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { deliveredPath } from '../../platform/config/version.js';
import { documentPage } from './app.document-page.js';
import { documentsBase, guidePath, guides } from './app.guides.js';

const folder = deliveredPath('docs');
const served = /\.(?:md|sh|json|yml)$/;

const servedPaths = (): ReadonlySet<string> => {
  const files = existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];
  return new Set(files.filter((file) => served.test(file)).map((file) => documentsBase + file.replaceAll('\\', '/')));
};

/**
 * Serves the documents as pages to browsers, and as text to other clients. Only files that existed at the start are served, so
 * no path of a request can lead elsewhere.
 */
export const serveDocuments = (app: NestExpressApplication): void => {
  const paths = servedPaths();
  const pages = new Map<string, string>();
  const pageOf = (path: string, text: string): string => {
    const page =
      pages.get(path) ?? documentPage(text, path, (link) => paths.has(posix.resolve(posix.dirname(path), link)));
    pages.set(path, page);
    return page;
  };
  const send = async ({ path, ...request }: Sent, response: Response): Promise<void> => {
    const text = await readFile(join(folder, path.slice(documentsBase.length)), 'utf8');
    response.vary('Accept');
    if (path.endsWith('.md') && request.prefersPage) response.type('html').send(pageOf(path, text));
    // Browsers show a text, whatever its name ends with; they would save another type.
    else response.type('text/plain; charset=utf-8').send(text);
  };
  app.use((request: Request, response: Response, next: NextFunction): void => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead) return next();
    if (/^\/docs\/guides\/?$/.test(request.path)) return response.redirect(guidePath(guides['Sending events']));
    if (!paths.has(request.path)) return next();
    send({ path: request.path, prefersPage: request.accepts(['text', 'html']) === 'html' }, response).catch(next);
  });
};

interface Sent {
  readonly path: string;
  readonly prefersPage: boolean;
}
