import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/**
 * What a link does to connections, those of before and new ones. A silent one accepts connections and carries nothing,
 * as a stopped server or a broken cable does, and a crowded one does so with new connections; a slow one carries each piece
 * after a while; a cutting one ends a connection on
 * which something is sent to the server, which therefore has not got it.
 */
export type LinkFault = 'none' | 'refusing' | 'resetting' | 'silent' | 'crowded' | 'slow' | 'cutting';

const slowMs = 100;

interface Loss {
  readonly text: string;
  readonly what: 'request' | 'answer';
  readonly then: LinkFault;
  readonly happened: () => void;
  /** The connections on which the text was sent. */
  readonly on: Set<Socket>;
}

/** The end of a statement for the server, and of the answer to it. */
const commit = 'COMMIT\0';

/** A link to a server that can be broken in the ways that networks and servers break. */
export class FaultyLink {
  private fault: LinkFault = 'none';
  private loss: Loss | null = null;
  private readonly unheard = new WeakSet<Socket>();
  private readonly pairs = new Set<readonly [Socket, Socket]>();

  private constructor(
    private readonly target: URL,
    private readonly server: Server,
  ) {
    server.on('connection', (socket) => this.carry(socket));
  }

  static async to(target: URL): Promise<FaultyLink> {
    const server = createServer({ pauseOnConnect: true });
    const link = new FaultyLink(target, server);
    await link.listen(0);
    return link;
  }

  /** The address of the target by way of this link. */
  get url(): URL {
    const url = new URL(this.target);
    url.hostname = '127.0.0.1';
    url.port = String(this.port);
    return url;
  }

  async set(fault: LinkFault): Promise<void> {
    if (fault === 'none' && this.fault === 'none') return;
    const { port } = this;
    const wasRefusing = this.fault === 'refusing';
    const wasCutting = this.fault === 'cutting';
    this.fault = fault;
    if (fault === 'refusing') this.server.close();
    else if (wasRefusing) await this.listen(port);
    // What a silent link has not carried is lost with its connections.
    if (!wasCutting && !['silent', 'crowded', 'slow', 'cutting'].includes(fault)) this.end();
  }

  /**
   * Loses a COMMIT to PostgreSQL, or the answer to it, of a connection on which `text` was sent, and ends the connection unless
   * the link is silent from then on. Resolves when it is lost.
   */
  loseCommit(text: string, what: 'request' | 'answer', then: LinkFault = 'none'): Promise<void> {
    return new Promise((resolve) => {
      this.loss = { text, what, then, happened: resolve, on: new Set() };
    });
  }

  async close(): Promise<void> {
    const closed = this.server.listening ? once(this.server, 'close') : null;
    this.server.close();
    this.end();
    await closed;
  }

  private lastPort = 0;
  private get port(): number {
    return this.server.listening ? (this.server.address() as AddressInfo).port : this.lastPort;
  }

  private async listen(port: number): Promise<void> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    this.lastPort = this.port;
  }

  private end(): void {
    for (const [near, far] of this.pairs) {
      // A socket that the other side has closed cannot be reset: it would stay open.
      if (near.readyState === 'open') near.resetAndDestroy();
      else near.destroy();
      far.destroy();
    }
  }

  private carry(near: Socket): void {
    const far = connect(Number(this.target.port), this.target.hostname);
    const pair = [near, far] as const;
    if (this.fault === 'crowded') this.unheard.add(near);
    this.pairs.add(pair);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (piece: Buffer) => this.pass(piece, near, to));
      from.on('error', () => undefined);
      from.on('end', () => to.end());
      from.on('close', () => {
        to.destroy();
        this.pairs.delete(pair);
      });
    }
    near.resume();
  }

  private pass(piece: Buffer, near: Socket, to: Socket): void {
    if (this.fault === 'silent' || this.unheard.has(near) || this.loses(piece, near, to)) return;
    const isLost = this.fault === 'resetting' || (this.fault === 'cutting' && to !== near);
    if (isLost) near.resetAndDestroy();
    else if (this.fault === 'slow') setTimeout(() => !to.destroyed && to.write(piece), slowMs);
    else to.write(piece);
  }

  private loses(piece: Buffer, near: Socket, to: Socket): boolean {
    const { loss } = this;
    if (!loss) return false;
    const what = to === near ? 'answer' : 'request';
    if (what === 'request' && piece.includes(loss.text)) loss.on.add(near);
    if (what !== loss.what || !loss.on.has(near) || !piece.includes(commit)) return false;
    this.loss = null;
    void this.set(loss.then);
    if (loss.then !== 'silent') near.resetAndDestroy();
    loss.happened();
    return true;
  }
}
