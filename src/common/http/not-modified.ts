import { type NestExpressApplication } from '@nestjs/platform-express';
import { type Express } from 'express';

/**
 * No route has an ETag, so `If-None-Match` can match nothing. Express compares it nevertheless, and to `*` answers 304 when
 * the work is done, without the body.
 */
export const neverNotModified = (app: NestExpressApplication): void => {
  const { request } = app.getHttpAdapter().getInstance() as Express;
  Object.defineProperty(request, 'fresh', { get: () => false });
};
