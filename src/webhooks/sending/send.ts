import { type AddressRules, PrivateReceiver, UnknownReceiver, addressOf } from '../../platform/http/resolve.js';
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { hostOf } from '../../platform/http/addresses.js';

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
  /** How long the receiver wants to be left alone. */
  readonly retryAfterMs?: number;
  /** The body of the answer, for formats that say something in it. It may contain anything, and is never stored. */
  readonly answer?: string;
}

interface OutgoingMessage {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

interface Answered extends Pick<Sent, 'retryAfterMs' | 'answer'> {
  readonly status: number;
}

/** Sends one POST request and returns its result. Never rejects, unless `signal` is aborted. Redirects are not followed. */
export const send = async (message: OutgoingMessage, { timeoutMs, signal, ...rules }: SendRules): Promise<Sent> => {
  const end = new AbortController();
  const stop = () => end.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal?.addEventListener('abort', stop);
  const url = new URL(message.url);
  try {
    signal?.throwIfAborted();
    const address = await untilAborted(() => addressOf(hostOf(url), rules), end.signal);
    const { status, ...answered } = await request(url, address, message, end.signal);
    return { status, error: reasonOf({ status }), ...answered };
  } catch (error) {
    signal?.throwIfAborted();
    return { status: null, error: reasonOf(end.signal.aborted ? { timeoutMs } : { error }) };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
};

/** Connects to the address, while the request and the check of the certificate use the name in the URL. */
const request = (
  url: URL,
  address: string,
  { headers, body }: OutgoingMessage,
  signal: AbortSignal,
): Promise<Answered> =>
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
      readToEnd(answer).then((text) => {
        const status = answer.statusCode ?? 0;
        resolve({ status, answer: text, ...retryAfter(status, answer.headers['retry-after']) });
        outgoing.destroy();
      }, reject);
    });
    outgoing.on('upgrade', (answer, socket) => {
      socket.destroy();
      resolve({ status: answer.statusCode ?? 0 });
    });
    outgoing.on('close', () => {
      if (!isAnswered) reject(new Error('closed'));
    });
    outgoing.end(body);
  });

/** A receiver that has too much to do says for how long, in seconds or as a date. */
const retryAfter = (status: number, header: string | undefined): Pick<Sent, 'retryAfterMs'> => {
  if ((status !== 429 && status !== 503) || header === undefined) return {};
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
};

const readToEnd = async (answer: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes >= maxAnswerBytes) break;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

const untilAborted = <T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(new Error('aborted'));
    signal.addEventListener('abort', stop, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop));
  });
