import { type Request } from 'express';

const setting = 'public origin';

/** From here on every link of the service begins with the given origin; null: with what each request says. */
export const setPublicOrigin = (app: { set(name: string, value: unknown): unknown }, origin: string | null): void => {
  app.set(setting, origin);
};

/** Scheme and host by which clients reach the service: as configured, or as far as the trusted-proxy setting lets headers say it. */
export const originOf = (request: Request): string => {
  const configured = request.app.get(setting) as string | null | undefined;
  if (configured) return configured;
  const origin = `${request.protocol}://${request.host}`;
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
};
