import { createHash, type Hash } from 'node:crypto';
import { type IncomingMessage } from 'node:http';
import { RequestProperty } from '../../platform/http/request-context.js';

/** A request with an `Idempotency-Key` while it runs. */
export interface Running {
  /** The key together with its project, user and route. */
  readonly name: string;
  readonly store: (answer: unknown) => Promise<void>;
  /** The digest of a body that is processed as it arrives. */
  readonly digest: Hash;
}

const running = new RequestProperty<Running>('running');

export const start = (request: IncomingMessage, run: Running): void => {
  running.set(request, run);
};

export const isKeyed = (request: IncomingMessage): boolean => running.get(request) !== undefined;

/** Null without an `Idempotency-Key`. */
export const keyNameOf = (request: IncomingMessage): string | null => running.get(request)?.name ?? null;

/**
 * Stores the answer under the key of the request, if it has one. A handler that sends its answer itself calls it before the
 * last byte, because the client may repeat the request as soon as it has the answer.
 */
export const storeAnswer = async (request: IncomingMessage, answer: unknown = null): Promise<void> => {
  await running.get(request)?.store(answer);
};

/** The digest of a streamed request covers the bytes of its body as they were sent. */
export async function* withDigest(request: IncomingMessage, body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const digest = running.get(request)?.digest;
  for await (const bytes of body) {
    digest?.update(bytes);
    yield bytes;
  }
}

/** Begins the digest of a request with its address: the same body at another address is another request. */
export const requestDigest = ({ method, url }: { readonly method: string; readonly url: string }): Hash =>
  createHash('sha256').update(`${method} ${url}\n`);
