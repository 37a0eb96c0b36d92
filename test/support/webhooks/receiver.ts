import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { type CohortChangeDto } from '../../../src/cohorts/changes/changes.dto.js';

export interface ReceivedMessage {
  readonly id: string;
  /** The path and the query of the request. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
  readonly body: {
    readonly type: string;
    readonly timestamp: string;
    readonly data: {
      readonly project_id: number;
      readonly cohort: { readonly id: number; readonly name: string };
      readonly changes: readonly CohortChangeDto[];
      readonly cursor: string;
    };
  };
  /** The status that it was answered with. */
  readonly status: number;
}

type Answering = (message: ReceivedMessage, response: ServerResponse) => number | null;

/** A receiver of webhooks on this machine. */
export class TestReceiver {
  readonly messages: ReceivedMessage[] = [];
  connections = 0;
  /** Returns the status of the answer; null when it writes the answer itself, or never answers. */
  answering: (nth: number) => number | null = () => 200;
  writing: Answering | null = null;
  /** When it is set, each message is verified as it arrives: an old one would be refused for its age. */
  secret: string | null = null;
  readonly unverified: string[] = [];

  private constructor(
    private readonly server: Server,
    private readonly host: string,
  ) {}

  static async start(port = 0, host = '127.0.0.1'): Promise<TestReceiver> {
    const server = createServer();
    const receiver = new TestReceiver(server, host);
    server.on('connection', () => (receiver.connections += 1));
    server.on('request', (request, response) => void receiver.take(request, response));
    server.listen(port, host);
    await once(server, 'listening');
    return receiver;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `http://${this.host}:${this.port}/hook?from=kohort`;
  }

  /** Messages that were accepted, each once, in the order of their arrival. */
  get accepted(): ReceivedMessage[] {
    const ids = new Set<string>();
    return this.messages.filter(({ id, status }) => status < 300 && !ids.has(id) && ids.add(id));
  }

  /** Waits until there are so many messages, and returns them. */
  async until(count: number, withinMs = 15_000): Promise<ReceivedMessage[]> {
    const end = Date.now() + withinMs;
    while (this.messages.length < count) {
      if (Date.now() > end) throw new Error(`${this.messages.length} of ${count} messages arrived`);
      await sleep(20);
    }
    return this.messages;
  }

  /** Waits until the accepted messages have so many changes. */
  async untilChanges(count: number, withinMs = 15_000): Promise<ReceivedMessage[]> {
    const end = Date.now() + withinMs;
    const arrived = () => this.accepted.reduce((sum, { body }) => sum + body.data.changes.length, 0);
    while (arrived() < count) {
      if (Date.now() > end) throw new Error(`${arrived()} of ${count} changes arrived`);
      await sleep(20);
    }
    return this.accepted;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, 'close');
  }

  private async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const status = this.answering(this.messages.length);
    const message: ReceivedMessage = {
      id: String(request.headers['webhook-id']),
      path: request.url ?? '',
      headers: request.headers,
      text,
      body: JSON.parse(text) as ReceivedMessage['body'],
      status: status ?? 0,
    };
    this.messages.push(message);
    if (this.secret !== null && !isSigned(this.secret, message)) this.unverified.push(message.id);
    if (this.writing) this.writing(message, response);
    else if (status !== null) response.writeHead(status, { location: '/elsewhere' }).end('thanks');
  }
}

/** Verifies by the library of the standard; throws for a wrong signature. */
export const verify = (secret: string, { text, headers }: Pick<ReceivedMessage, 'text' | 'headers'>): unknown =>
  new Webhook(secret).verify(text, headers as Record<string, string>);

const isSigned = (secret: string, message: ReceivedMessage): boolean => {
  try {
    verify(secret, message);
    return true;
  } catch {
    return false;
  }
};
