import { createHmac } from 'node:crypto';
import { type JsonObject } from './json.js';

/** The beginning of the distinct ids that the service makes for visitors in cookieless mode. */
export const visitorPrefix = '$cookieless_';

/** The parts of a request by which its visitor is distinguished, and the key that makes an id of them. */
export interface CookielessVisitors {
  readonly salt: Buffer;
  readonly projectId: number;
  readonly address: string;
  readonly userAgent: string;
}

const textOr = (value: unknown, otherwise: string): string =>
  typeof value === 'string' && value !== '' ? value : otherwise;

/**
 * Computes the distinct id of a visitor for a day: a keyed hash of project, address, host and browser. Properties come before
 * what the request says, because a backend may forward events of its visitors.
 */
export const visitorId = (visitors: CookielessVisitors, properties: JsonObject): string => {
  const { salt, projectId, address, userAgent } = visitors;
  const parts = [
    projectId,
    textOr(properties.$ip, address),
    textOr(properties.$host, ''),
    textOr(properties.$raw_user_agent, userAgent),
    textOr(properties.$cookieless_extra, ''),
  ];
  const hash = createHmac('sha256', salt).update(JSON.stringify(parts)).digest();
  return `${visitorPrefix}${hash.toString('base64url', 0, 18)}`;
};

/** The properties by which a visitor could be found again. They are not stored with an event of the visitor. */
export const identifyingProperties = ['$ip', '$raw_user_agent', '$cookieless_extra'] as const;
