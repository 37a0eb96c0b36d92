import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** Messages of PostgreSQL's protocol: one byte for the kind, four for the length. The first of a client has no kind. */
class Messages {
  private bytes = Buffer.alloc(0);

  constructor(private hasKind: boolean) {}

  *add(more: Buffer): Generator<Buffer> {
    this.bytes = Buffer.concat([this.bytes, more]);
    for (;;) {
      const before = this.hasKind ? 1 : 0;
      if (this.bytes.length < before + 4) return;
      const length = before + this.bytes.readInt32BE(before);
      if (this.bytes.length < length) return;
      yield this.bytes.subarray(0, length);
      this.bytes = this.bytes.subarray(length);
      this.hasKind = true;
    }
  }
}

const kindOf = (message: Buffer): string => String.fromCharCode(message[0] ?? 0);
const welcome = Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 0]);
const keyOf = (session: number): Buffer => Buffer.from([0x4b, 0, 0, 0, 12, 0, 0, 0, session, 0, 0, 0, 0]);
const readyForQuery = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/**
 * A pooler like PgBouncer before 1.21 in transaction mode: all clients have one session of the server, one transaction after the
 * other, and it passes on the names of their prepared statements.
 */
export class SharedSession {
  private readonly clients = new Set<Socket>();
  private readonly waiting: { readonly of: Socket; readonly message: Buffer }[] = [];
  private session: Socket | undefined;
  private holder: Socket | null = null;
  private unanswered = 0;

  private constructor(
    private readonly target: URL,
    private readonly server: Server,
  ) {
    server.on('connection', (client) => this.serve(client));
  }

  static async of(target: URL): Promise<SharedSession> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new SharedSession(target, server);
  }

  get url(): URL {
    const url = new URL(this.target);
    url.port = String((this.server.address() as AddressInfo).port);
    return url;
  }

  close(): void {
    for (const socket of [...this.clients, this.session]) socket?.destroy();
    this.server.close();
  }

  private serve(client: Socket): void {
    const isFirst = this.session === undefined;
    const session = (this.session ??= this.open(client));
    this.clients.add(client);
    client.on('error', () => undefined);
    let isStarting = true;
    const sent = new Messages(false);
    client.on('data', (bytes) => {
      for (const message of sent.add(bytes)) {
        // The first client signs in to the server, the others to the pooler.
        if (isStarting && !isFirst) client.write(Buffer.concat([welcome, keyOf(this.clients.size), readyForQuery]));
        else if (isStarting || kindOf(message) === 'p') session.write(message);
        else if (kindOf(message) !== 'X') this.waiting.push({ of: client, message: Buffer.from(message) });
        isStarting = false;
      }
      this.carry();
    });
  }

  private open(first: Socket): Socket {
    const session = connect(Number(this.target.port), this.target.hostname);
    const answers = new Messages(true);
    this.holder = first;
    this.unanswered = 1;
    session.on('error', () => undefined);
    session.on('data', (bytes) => {
      for (const message of answers.add(bytes)) {
        this.holder?.write(kindOf(message) === 'K' ? keyOf(0) : message);
        if (kindOf(message) !== 'Z') continue;
        this.unanswered -= 1;
        if (this.unanswered === 0 && message[5] === 0x49) this.holder = null;
        this.carry();
      }
    });
    return session;
  }

  /** Each client has the session until its transaction has ended. */
  private carry(): void {
    for (;;) {
      const at = this.waiting.findIndex(({ of }) => this.holder === null || this.holder === of);
      const [next] = at < 0 ? [] : this.waiting.splice(at, 1);
      if (!next) return;
      this.holder = next.of;
      if (['Q', 'S'].includes(kindOf(next.message))) this.unanswered += 1;
      this.session?.write(next.message);
    }
  }
}
