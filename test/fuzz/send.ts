import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { type FuzzRequest } from './draft.js';
import { unpackedText } from './unpacked.js';

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The answers, or the reason why none came. */
export type Outcome = { readonly answers: readonly Answer[] } | { readonly error: string };

/** A question may take the 30 s that the stores grant it, and wait for others before. */
const ordinaryPatienceMs = 90_000;
/** After that a client that leaves has left. */
const leavesAfterMs = 20;

/** Ordinary requests over connections that stay open. */
export class Sender {
  private readonly agent: Agent;

  constructor(
    private readonly url: URL,
    connections: number,
    private readonly patienceMs = ordinaryPatienceMs,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections, scheduling: 'fifo' });
  }

  /** The service may close a connection in the moment in which it is used again: such a request is sent once more. */
  async send(request: FuzzRequest): Promise<Outcome> {
    const first = await this.attempt(request, this.agent);
    if (!('error' in first) || !first.reused || request.abandoned) return first;
    return this.attempt(request, undefined);
  }

  close(): void {
    this.agent.destroy();
  }

  private attempt(request: FuzzRequest, agent: Agent | undefined): Promise<Outcome & { reused?: boolean }> {
    return new Promise((resolve) => {
      const headers = request.body ? { 'content-length': request.body.length, ...request.headers } : request.headers;
      const { hostname, port } = this.url;
      const sent = httpRequest({ hostname, port, method: request.method, path: request.path, headers, agent });
      const patience = setTimeout(() => sent.destroy(new LateError(this.patienceMs)), this.patienceMs);
      const settle = (outcome: Outcome & { reused?: boolean }) => {
        clearTimeout(patience);
        resolve(outcome);
      };
      let answering = false;
      sent.on('response', (response) => {
        answering = true;
        bodyOf(response).then(
          (text) => settle({ answers: [{ status: response.statusCode ?? 0, headers: headersOf(response), text }] }),
          (error: unknown) => settle({ error: `answer cut: ${messageOf(error)}` }),
        );
      });
      sent.on('error', (error) => {
        const reused = sent.reusedSocket && !(error instanceof LateError);
        settle({ error: messageOf(error), reused });
      });
      sent.on('close', () => {
        if (!answering) settle({ error: 'the connection closed', reused: sent.reusedSocket });
      });
      sent.on('upgrade', (_, socket) => socket.destroy());
      sent.end(request.body ?? undefined);
      if (request.abandoned) setTimeout(() => sent.destroy(), leavesAfterMs);
    });
  }
}

class LateError extends Error {
  constructor(ms: number) {
    super(`no answer in ${ms} ms`);
  }
}

/** A stream of events goes on for as long as its client: one part of it is enough, and the client leaves. */
const bodyOf = async (response: IncomingMessage): Promise<string> => {
  const chunks: Buffer[] = [];
  for await (const chunk of response) {
    chunks.push(chunk as Buffer);
    if (isEventStream(response.headers['content-type'])) break;
  }
  return unpackedText(Buffer.concat(chunks), response.headers['content-encoding']);
};

export const isEventStream = (contentType = ''): boolean => contentType.startsWith('text/event-stream');

const headersOf = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const messageOf = (error: unknown): string =>
  error instanceof Error ? ('code' in error ? `${String(error.code)} ${error.message}` : error.message) : String(error);
