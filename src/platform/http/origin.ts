import { type Request } from 'express';

const setting = 'public origin';

/** Sets the origin with which links begin from now on; null takes it from each request. */
export const setPublicOrigin = (app: { set(name: string, value: unknown): unknown }, origin: string | null): void => {
  app.set(setting, origin);
};

/** The scheme and host that are configured; null where those of each request count. */
export const configuredOriginOf = (request: Request): string | null =>
  (request.app.get(setting) as string | null | undefined) || null;

/** The scheme and host of the service for clients: the configured ones, or those of the request, with TRUST_PROXY applied. */
export const originOf = (request: Request): string => {
  const configured = configuredOriginOf(request);
  if (configured !== null) return configured;
  const origin = `${request.protocol}://${request.host}`;
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
};
