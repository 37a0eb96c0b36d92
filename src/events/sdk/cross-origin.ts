import cors from 'cors';
import { type NextFunction, type Request, type Response } from 'express';

const sdkPaths = new RegExp(
  `^/(${[
    'batch|capture|e|i/v[01]/.+|track|engage|s',
    'v1/[^/]+',
    'flags/?$|decide|array|static|ofrep',
    'api/(surveys|early_access_features|web_experiments|product_tours)',
  ].join('|')})(/|$)`,
);

/**
 * Allows every origin on the paths of SDKs, and none on others. Browsers send requests of SDKs from any origin, with cookies, but
 * on these paths only the token in the payload counts.
 */
const anyOrigin = cors({
  origin: true,
  credentials: true,
  methods: ['GET', 'POST', 'OPTIONS'],
  maxAge: 86_400,
  exposedHeaders: ['ETag', 'Retry-After'],
  // Some SDKs treat any status but 200 as a failure.
  optionsSuccessStatus: 200,
});

export const crossOrigin = (request: Request, response: Response, next: NextFunction): void => {
  if (!sdkPaths.test(request.path)) {
    next();
    return;
  }
  response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  anyOrigin(request, response, next);
};
