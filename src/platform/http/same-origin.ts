import { type Request } from 'express';
import { permissionDenied } from '../errors/problem.js';
import { isIP } from 'node:net';
import { configuredOriginOf, originOf } from './origin.js';

const foreign = () =>
  permissionDenied(
    'A signed-in browser may send this request from pages of this service only: it needs the header Sec-Fetch-Site: same-origin, or an Origin with the host of the service',
  );

/**
 * Refuses a request that a page of another origin may have made a browser send with its cookies. Browsers name the source of a
 * request in `Sec-Fetch-Site`; old browsers, and all browsers over plain HTTP, name it in `Origin`.
 */
export const assertSameOrigin = (request: Request): void => {
  if (!isSameOrigin(request)) throw foreign();
};

/** Like `assertSameOrigin`, for requests without a cookie. Programs send neither header, and are let through. */
export const refuseOtherOrigin = (request: Request): void => {
  if (isFromBrowser(request) && !isSameOrigin(request)) throw foreign();
};

/**
 * Like `refuseOtherOrigin`, and refuses a page whose name its owner may have pointed at this service after the page was loaded.
 * Names of this machine, addresses and the configured name cannot be pointed elsewhere.
 */
export const refuseReboundOrigin = (request: Request): void => {
  refuseOtherOrigin(request);
  if (isFromBrowser(request) && !isOwnName(request)) throw reboundName();
};

const reboundName = () =>
  permissionDenied(
    'A browser may send this request only to localhost, to an address, or to the host of PUBLIC_URL: set PUBLIC_URL to the address at which browsers reach the service',
  );

const isOwnName = (request: Request): boolean => {
  const url = `http://${request.host}`;
  if (!URL.canParse(url)) return false;
  const name = new URL(url).hostname.replace(/^\[|\]$/g, '');
  const configured = configuredOriginOf(request);
  const isConfigured = configured !== null && new URL(configured).hostname === name;
  return isConfigured || isIP(name) !== 0 || name === 'localhost' || name.endsWith('.localhost');
};

/** Browsers send one of these headers, programs neither. */
export const isFromBrowser = (request: Request): boolean =>
  request.get('sec-fetch-site') !== undefined || request.get('origin') !== undefined;

/** Compares only hosts: behind a proxy that ends TLS, the service may see another scheme than the browser. */
const isSameOrigin = (request: Request): boolean => {
  const site = request.get('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  const own = [`${request.protocol}://${request.host}`, originOf(request)].map(hostOf);
  const origin = hostOf(request.get('origin'));
  return origin !== null && own.includes(origin);
};

const hostOf = (origin: string | undefined): string | null =>
  origin !== undefined && URL.canParse(origin) ? new URL(origin).host || null : null;
