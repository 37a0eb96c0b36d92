import { connect, type Socket } from 'node:net';

/** A connection for requests that no HTTP client would send. */
export class RawConnection {
  private received = '';
  private ended = false;

  private constructor(private readonly socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.received += chunk.toString('latin1');
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.ended = true;
    });
  }

  static async to(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    await new Promise((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('error', reject);
    });
    return new RawConnection(socket);
  }

  get text(): string {
    return this.received;
  }

  get isClosed(): boolean {
    return this.ended;
  }

  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  /** What has come when the connection is closed by the service, or after `ms`. */
  async untilClosed(ms: number): Promise<string> {
    await this.until(() => this.ended, ms);
    return this.received;
  }

  async until(isSo: () => boolean, ms: number): Promise<void> {
    const deadline = Date.now() + ms;
    while (!isSo() && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
  }

  close(): void {
    this.socket.destroy();
  }
}

export const problemIn = (answer: string): Record<string, unknown> =>
  JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as Record<string, unknown>;
