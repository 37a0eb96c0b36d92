import { type NestExpressApplication } from '@nestjs/platform-express';

/**
 * No route has an ETag, so `If-None-Match` can match nothing. Express compares it nevertheless, and answers `*` with 304
 * when the work is done, without the body.
 */
export const neverNotModified = (app: NestExpressApplication): void => {
  const { request } = app.getHttpAdapter().getInstance();
  Object.defineProperty(request, 'fresh', { get: () => false });
};
