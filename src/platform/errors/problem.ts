export type ProblemType =
  | 'validation_error'
  | 'authentication_error'
  | 'invalid_request'
  | 'throttled_error'
  | 'server_error';

export type ProblemCode =
  | 'required'
  | 'invalid_input'
  | 'parse_error'
  | 'not_authenticated'
  | 'authentication_failed'
  | 'permission_denied'
  | 'not_found'
  | 'merged'
  | 'method_not_allowed'
  | 'conflict'
  | 'too_large'
  | 'timeout'
  | 'unsupported_media_type'
  | 'throttled'
  | 'too_expensive'
  | 'unavailable'
  | 'error';

/** An answer other than success. Services throw it, and one filter writes it. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly type: ProblemType,
    readonly code: ProblemCode,
    readonly detail: string,
    readonly attr: string | null = null,
    readonly headers: Readonly<Record<string, string>> = {},
    /** Members of the body in addition to the common ones. */
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(detail);
  }

  /** The same problem, about a field that the client knows by another path. */
  at(attr: string): Problem {
    const isNamed = this.attr !== null && this.detail.startsWith(this.attr);
    const detail = isNamed ? attr + this.detail.slice(this.attr.length) : this.detail;
    return new Problem(this.status, this.type, this.code, detail, attr, this.headers, this.extra);
  }
}

export const invalidInput = (detail: string, attr: string | null = null): Problem =>
  new Problem(400, 'validation_error', 'invalid_input', detail, attr);

export const required = (attr: string, what?: string): Problem =>
  new Problem(400, 'validation_error', 'required', `${attr} is required${what === undefined ? '' : `: ${what}`}`, attr);

export const parseError = (detail: string): Problem => new Problem(400, 'validation_error', 'parse_error', detail);

export const notAuthenticated = (): Problem =>
  new Problem(
    401,
    'authentication_error',
    'not_authenticated',
    'There is no header "Authorization: Bearer phx_…": send the API key in it',
    null,
    { 'WWW-Authenticate': 'Bearer' },
  );

/** Has the same words for all keys that are refused, so that the answer reveals nothing about the key. */
export const authenticationFailed = (): Problem =>
  new Problem(
    401,
    'authentication_error',
    'authentication_failed',
    'The API key is not valid: send a personal API key (phx_…) that is not revoked or expired; a project token (phc_…) only sends events',
    null,
    { 'WWW-Authenticate': 'Bearer' },
  );

/** Has the same words for all sessions that do not exist any longer. */
export const sessionEnded = (): Problem =>
  new Problem(401, 'authentication_error', 'authentication_failed', 'The session has ended: sign in again', null, {
    'WWW-Authenticate': 'Bearer',
  });

/** Has no `WWW-Authenticate`, because the request itself was the attempt to authenticate. */
export const signInFailed = (detail: string): Problem =>
  new Problem(401, 'authentication_error', 'authentication_failed', detail);

export const permissionDenied = (
  detail: string,
  attr: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Problem => new Problem(403, 'authentication_error', 'permission_denied', detail, attr, headers);

const maxQuoted = 200;

/** `what` names the missing record. It must be the same for a record that does not exist and for one of another project. */
export const notFound = (what = 'Not found'): Problem =>
  new Problem(404, 'invalid_request', 'not_found', what.slice(0, maxQuoted));

/** `useful` are those of the allowed methods that are probably meant; `hint` completes the message. */
export const methodNotAllowed = (
  method: string,
  allowed: readonly string[],
  useful = allowed,
  hint?: string,
): Problem =>
  new Problem(
    405,
    'invalid_request',
    'method_not_allowed',
    `${method} is not allowed here: use ${useful.join(' or ')}${hint === undefined ? '' : `; ${hint}`}`,
    null,
    { Allow: allowed.join(', ') },
  );

export const conflict = (
  detail: string,
  attr: string | null = null,
  headers: Readonly<Record<string, string>> = {},
): Problem => new Problem(409, 'invalid_request', 'conflict', detail, attr, headers);

export const tooLarge = (detail: string): Problem => new Problem(413, 'invalid_request', 'too_large', detail);

export const unsupportedMediaType = (detail: string): Problem =>
  new Problem(415, 'invalid_request', 'unsupported_media_type', detail);

export const throttled = (seconds: number, detail = `Too many requests: try again in ${seconds} s`): Problem =>
  new Problem(429, 'throttled_error', 'throttled', detail, null, { 'Retry-After': String(seconds) });

/** The connection closes with the answer, because the rest of the request might still arrive on it. */
export const requestTimeout = (detail: string): Problem =>
  new Problem(408, 'invalid_request', 'timeout', detail, null, { Connection: 'close' });

export const unavailable = (detail: string, retryAfterSeconds = 1): Problem =>
  new Problem(503, 'server_error', 'unavailable', detail, null, { 'Retry-After': String(retryAfterSeconds) });

export const internalError = (): Problem =>
  new Problem(500, 'server_error', 'error', 'Something went wrong on our side');
