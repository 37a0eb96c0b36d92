import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** A whole request as bytes, made before the clock runs. */
export const request = (method: 'GET' | 'POST', path: string, body = '', headers: readonly string[] = []): Buffer => {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: 127.0.0.1', 'Content-Type: application/json', ...headers];
  const head = lines.map((line) => `${line}\r\n`).join('');
  return Buffer.from(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
};

/**
 * Sends all requests over so many keep-alive connections, each of which waits for its answer before it sends the next.
 * By bare sockets: the client shares its processors with the service, and must not be what is measured.
 */
export const load = async (url: URL, connections: number, requests: readonly Buffer[]): Promise<Loaded> => {
  const opened = await Promise.all(Array.from({ length: connections }, () => Connection.open(url)));
  const answers: Answer[] = [];
  const waiting = requests.values();
  const started = performance.now();
  await Promise.all(
    opened.map(async (connection) => {
      for (const next of waiting) answers.push(await connection.askUntilServed(next));
    }),
  );
  const seconds = (performance.now() - started) / 1000;
  for (const connection of opened) connection.close();
  const refused = answers.find(({ status }) => status !== 200);
  if (refused) throw new Error(`The service answered ${refused.status}: ${refused.body.slice(0, 500)}`);
  return { seconds, answers };
};

export interface Loaded {
  readonly seconds: number;
  readonly answers: readonly Answer[];
}

const headEnd = Buffer.from('\r\n\r\n');

export class Connection {
  private received: Buffer = Buffer.alloc(0);
  private settle: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | null = null;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => this.take(chunk));
    socket.on('error', (error) => this.settle?.reject(error));
    socket.on('close', () => this.settle?.reject(new Error('The service closed the connection')));
  }

  static async open({ hostname, port }: URL): Promise<Connection> {
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    await once(socket, 'connect');
    return new Connection(socket);
  }

  ask(bytes: Buffer): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      this.socket.write(bytes);
    });
  }

  /** A busy service says 503, and an SDK sends the same events again. */
  async askUntilServed(bytes: Buffer): Promise<Answer> {
    for (let tries = 1; ; tries += 1) {
      const answer = await this.ask(bytes);
      if (answer.status !== 503 || tries === 5) return answer;
      console.error(`503, sent again: ${answer.body.slice(0, 200)}`);
      await sleep(1_000);
    }
  }

  close(): void {
    this.settle = null;
    this.socket.destroy();
  }

  private take(chunk: Buffer): void {
    this.received = this.received.length === 0 ? chunk : Buffer.concat([this.received, chunk]);
    const end = this.received.indexOf(headEnd);
    if (end < 0) return;
    const head = this.received.toString('latin1', 0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? NaN);
    if (Number.isNaN(length)) this.settle?.reject(new Error(`An answer without Content-Length: ${head}`));
    const bodyStart = end + headEnd.length;
    if (this.received.length < bodyStart + length) return;
    const body = this.received.toString('utf8', bodyStart, bodyStart + length);
    this.received = Buffer.alloc(0);
    const { settle } = this;
    this.settle = null;
    settle?.resolve({ status: Number(head.slice(9, 12)), body });
  }
}
