import { once } from 'node:events';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventDto } from '../../src/events/log/event.dto.js';

export interface LiveMessage {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

export interface Watched {
  readonly url: string;
  readonly key: string;
  readonly projectId: number;
  readonly query?: Readonly<Record<string, string | number>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client of `events/live`, which reads server-sent events as a browser does. */
export class LiveClient {
  readonly messages: LiveMessage[] = [];
  /** The position that a browser sends when it connects again. */
  lastId = '';
  /** Everything that came, as it came. */
  text = '';
  hasEnded = false;

  private constructor(
    readonly answer: IncomingMessage,
    private readonly sent: ClientRequest,
  ) {
    answer.setEncoding('utf8');
    answer.on('error', () => undefined);
    answer.on('close', () => (this.hasEnded = true));
  }

  /** Resolves when the headers of the answer have come. A client that is not reading gets no messages. */
  static async open({ url, key, projectId, query = {}, headers = {} }: Watched, reads = true): Promise<LiveClient> {
    const address = new URL(`/api/projects/${projectId}/events/live`, url);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, String(value));
    const sent = request(address, { agent: false, headers: { authorization: `Bearer ${key}`, ...headers } });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    sent.on('error', () => undefined);
    const client = new LiveClient(answer, sent);
    if (reads) client.read();
    return client;
  }

  get status(): number {
    return this.answer.statusCode ?? 0;
  }

  get events(): EventDto[] {
    return this.messages.flatMap(({ event, data }) => (event === 'event' ? [data as EventDto] : []));
  }

  /** The sum of what was skipped. */
  get skipped(): number {
    const counts = this.messages.flatMap(({ event, data }) =>
      event === 'skipped' ? [(data as { count: number }).count] : [],
    );
    return counts.reduce((sum, count) => sum + count, 0);
  }

  names(): string[] {
    return this.events.map(({ event }) => event);
  }

  /** Returns the milliseconds that it took. */
  async until(isThere: () => boolean, withinMs = 5000): Promise<number> {
    const started = performance.now();
    while (!isThere()) {
      if (performance.now() - started > withinMs)
        throw new Error(`did not come in ${withinMs} ms; came: ${this.text.slice(-500)}`);
      await sleep(5);
    }
    return performance.now() - started;
  }

  close(): void {
    this.sent.destroy();
  }

  private read(): void {
    let rest = '';
    this.answer.on('data', (chunk: string) => {
      this.text += chunk;
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.take(block);
    });
  }

  private take(block: string): void {
    const fields = new Map(block.split('\n').map((line) => [line.split(':', 1)[0] ?? '', line.replace(/^\w*: ?/, '')]));
    this.lastId = fields.get('id') ?? this.lastId;
    const data = fields.get('data');
    if (data === undefined) return;
    this.messages.push({ id: this.lastId, event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown });
  }
}
