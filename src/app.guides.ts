import { type NestExpressApplication } from '@nestjs/platform-express';
import { type NextFunction, type Request, type Response } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** From `dist/src` to the folder of the repository. */
const guidesFolder = fileURLToPath(new URL('../../docs/guides', import.meta.url));

const isGuide = (name: string): boolean => name.endsWith('.md');

/** The addresses of the guides, by the names of their files. */
export const guidePath = (name: string): string => `/docs/guides/${name}`;

/**
 * Serves the guides as text, which browsers show instead of saving it. Only files that existed at the start are served, so
 * no path of a request can lead elsewhere.
 */
export const serveGuides = (app: NestExpressApplication): void => {
  const names = existsSync(guidesFolder) ? readdirSync(guidesFolder) : [];
  const paths = new Set(names.filter(isGuide).map(guidePath));
  app.use((request: Request, response: Response, next: NextFunction): void => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !paths.has(request.path)) return next();
    response.type('text/plain; charset=utf-8');
    response.sendFile(request.path.slice(guidePath('').length), { root: guidesFolder }, (error?: Error) => {
      if (error) next(error);
    });
  });
};
