import { type Request } from 'express';

/** Scheme and host by which the client reached the service, as far as the trusted-proxy setting lets headers say it. */
export const originOf = (request: Request): string => {
  const origin = `${request.protocol}://${request.host}`;
  return URL.canParse(origin) ? new URL(origin).origin : 'http://localhost';
};
