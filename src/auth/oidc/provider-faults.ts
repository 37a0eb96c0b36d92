import { type SignOnReason } from './refusals.js';

/** Describes a failure at the provider. It contains no code and no token, so it may be logged. */
export interface ProviderFault {
  readonly reason: SignOnReason;
  readonly code: string;
  readonly detail: string | null;
}

/** Comparisons name the claim and not its value; other messages may quote an answer, and so a token. */
const harmless = new Set([
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
]);

export const answerTooLarge = 'ANSWER_TOO_LARGE';

const unavailable = new Set(['OAUTH_TIMEOUT', 'OAUTH_ABORT', 'OAUTH_RESPONSE_IS_NOT_CONFORM', answerTooLarge]);

const plainCode = /^\w{1,60}$/;

/** Errors of `openid-client` by their codes, so that the library need not be loaded to recognise them. */
export const faultOf = (error: unknown): ProviderFault => {
  if (!(error instanceof Error)) return { reason: 'answer_not_valid', code: 'unknown', detail: null };
  const { code, error: answered, status, cause } = error as Error & Partial<Record<string, unknown>>;
  const named = typeof answered === 'string' && plainCode.test(answered) ? answered : 'unknown';
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    const isDown = named === 'temporarily_unavailable' || named === 'server_error';
    return { reason: isDown ? 'provider_unavailable' : 'provider_refused', code: named, detail: null };
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR') {
    const isOurs = named === 'invalid_grant' && Number(status) < 500;
    return { reason: isOurs ? 'answer_not_valid' : 'provider_unavailable', code: named, detail: null };
  }
  if (code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE')
    return { reason: 'provider_unavailable', code: 'invalid_client', detail: null };
  if (error instanceof TypeError && error.message === 'fetch failed')
    return { reason: 'provider_unavailable', code: codeOfCause(cause), detail: null };
  if (typeof code !== 'string') return { reason: 'answer_not_valid', code: error.name, detail: null };
  const detail = harmless.has(code) && cause instanceof Error ? cause.message : null;
  return { reason: unavailable.has(code) ? 'provider_unavailable' : 'answer_not_valid', code, detail };
};

const codeOfCause = (cause: unknown): string => {
  const { code } = (cause ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : 'fetch failed';
};
