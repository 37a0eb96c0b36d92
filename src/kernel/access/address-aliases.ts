import { type NextFunction, type Request, type Response } from 'express';
import { organization } from './organization.js';

const environments = /^\/api\/environments(?=[/?]|$)/;
const byId = new RegExp(`^/api/organizations/${organization.id}(?=[/?]|$)`, 'i');

/**
 * Serves `/api/environments/…` as `/api/projects/…`, and the organization's id as `@current`: clients of the reference product use
 * all of them. Only the address that routes, guards and logs see is rewritten, so the links of an answer begin as the request did.
 */
export const addressAliases = (request: Request, _response: Response, next: NextFunction): void => {
  if (request.url.startsWith('/api/e')) request.url = request.url.replace(environments, '/api/projects');
  else if (request.url.startsWith('/api/o')) request.url = request.url.replace(byId, '/api/organizations/@current');
  next();
};
