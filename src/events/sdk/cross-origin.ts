import { type NextFunction, type Request, type Response } from 'express';

const sdkPaths = new RegExp(
  `^/(${[
    'batch|capture|e|i/v[01]/.+|track|engage|s',
    'v1/[^/]+',
    'flags|decide|array|static',
    'api/(surveys|early_access_features|feature_flag/local_evaluation)',
    'api/projects/@current/feature_flags/[^/]+/remote_config',
  ].join('|')})(/|$)`,
);

/**
 * Browsers send requests from any origin, with cookies. Only the token in the payload counts, so every origin is allowed.
 */
export const crossOrigin = (request: Request, response: Response, next: NextFunction): void => {
  if (!sdkPaths.test(request.path)) {
    next();
    return;
  }
  const origin = request.get('origin');
  response.set('Cross-Origin-Resource-Policy', 'cross-origin');
  if (origin !== undefined) {
    response.set({ 'Access-Control-Allow-Origin': origin, 'Access-Control-Allow-Credentials': 'true' }).vary('Origin');
  }
  if (request.method !== 'OPTIONS') {
    next();
    return;
  }
  response
    .set({
      'Access-Control-Allow-Methods': 'GET, POST, OPTIONS',
      'Access-Control-Allow-Headers': request.get('access-control-request-headers') ?? '*',
      'Access-Control-Max-Age': '86400',
    })
    .vary('Access-Control-Request-Headers');
  // Some SDKs treat any status but 200 as a failure.
  response.status(200).end();
};
