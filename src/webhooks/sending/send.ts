import { type AddressRules, PrivateReceiver, UnknownReceiver, addressOf } from './resolve.js';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { hostOf } from './webhook-url.js';

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

/**
 * Returns null for an accepted message. All sentences are our own, so that no text of an answer or of the network gets into the
 * log.
 */
const reasonOf = (outcome: Outcome): string | null => {
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

const maxAnswerBytes = 64 * 1024;

interface SendRules extends AddressRules {
  /** Limits the whole attempt: resolving the name, the connection, the request and its answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

export interface Sent {
  /** The status of the answer; null when there was none. */
  readonly status: number | null;
  /** Null when the receiver has accepted the message. */
  readonly error: string | null;
}

interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Sends one POST request and returns its result. Never rejects, unless `signal` is aborted. Redirects are not followed, and
 * nothing of the answer but its status is kept, because it may contain anything.
 */
export const send = async (message: OutgoingMessage, { timeoutMs, signal, ...rules }: SendRules): Promise<Sent> => {
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop);
  const url = new URL(message.url);
  try {
    signal?.throwIfAborted();
    const address = await untilAborted(() => addressOf(hostOf(url), rules), end.signal);
    const status = await request(url, address, message, end.signal);
    return { status, error: reasonOf({ status }) };
  } catch (error) {
    signal?.throwIfAborted();
    return { status: null, error: reasonOf(end.signal.aborted ? { timeoutMs } : { error }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
};

/** Connects to the address, while the request and the check of the certificate use the name in the URL. */
const request = (url: URL, address: string, { headers, body }: OutgoingMessage, signal: AbortSignal): Promise<number> =>
  new Promise((resolve, reject) => {
    const isTls = url.protocol === 'https:';
    const port = url.port === '' ? (isTls ? 443 : 80) : Number(url.port);
    const outgoing = (isTls ? https : http).request({
      host: address,
      port,
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, host: url.host, 'content-length': Buffer.byteLength(body) },
      // Each request has its own connection: a kept connection could be used for another receiver at the same address.
      agent: false,
      signal,
      rejectUnauthorized: true,
      servername: address === hostOf(url) ? '' : hostOf(url),
    });
    let isAnswered = false;
    outgoing.on('error', reject);
    outgoing.on('response', (answer) => {
      isAnswered = true;
      readToEnd(answer).then(() => {
        resolve(answer.statusCode ?? 0);
        outgoing.destroy();
      }, reject);
    });
    outgoing.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve(answer.statusCode ?? 0);
    });
    outgoing.on('close', () => {
      if (!isAnswered) reject(new Error('closed'));
    });
    outgoing.end(body);
  });

const readToEnd = async (answer: IncomingMessage): Promise<void> => {
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= maxAnswerBytes) return;
  }
};

const untilAborted = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
