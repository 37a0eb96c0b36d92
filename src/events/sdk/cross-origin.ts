import cors from 'cors';
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
 * Only the token in the payload counts, so every origin is allowed. No cookie counts here, and no answer allows a page of
 * another origin to send one and read what comes back.
 */
const anyOrigin = cors({
  origin: true,
  methods: ['GET', 'POST', 'OPTIONS'],
  maxAge: 86_400,
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
