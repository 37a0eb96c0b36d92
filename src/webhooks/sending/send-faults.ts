import { PrivateReceiver, UnknownReceiver } from './resolve.js';

type Outcome = { readonly status: number } | { readonly timeoutMs: number } | { readonly error: unknown };

const byCode: readonly (readonly [RegExp, string])[] = [
  [/^ECONNREFUSED$/, 'The receiver refused the connection'],
  [/^(ECONNRESET|EPIPE|ECONNABORTED)$/, 'The connection ended before the answer was complete'],
  [/^(EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|EADDRNOTAVAIL|EACCES|EINVAL)$/, 'The receiver cannot be reached'],
  [/^HPE_/, 'The receiver did not answer with HTTP'],
  [
    /^(CERT_|ERR_TLS_|ERR_SSL_|EPROTO|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/,
    'No safe connection: check the certificate',
  ],
];

/** Null for a message that was accepted. The sentences are ours, so that nothing of an answer or of a network gets into the log. */
export const reasonOf = (outcome: Outcome): string | null => {
  if ('timeoutMs' in outcome) return `There was no complete answer within ${outcome.timeoutMs / 1000} s`;
  if ('error' in outcome) return reasonOfError(outcome.error);
  const { status } = outcome;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return 'The receiver answered with a redirect, which is not followed';
  return `The receiver answered ${status}`;
};

const reasonOfError = (error: unknown): string => {
  if (error instanceof PrivateReceiver) return 'The receiver has a private address, which this installation refuses';
  if (error instanceof UnknownReceiver) return 'The name of the receiver could not be resolved';
  const { code = '' } = error as { readonly code?: string };
  return byCode.find(([codes]) => codes.test(code))?.[1] ?? 'The connection ended before the answer was complete';
};
