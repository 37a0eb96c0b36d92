import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket } from 'node:tls';
import { testCertificate, testCertificateKey } from './certificate.js';

interface ReceivedMail {
  readonly to: string;
  readonly text: string;
  readonly isEncrypted: boolean;
}

interface SmtpRules {
  /** TLS from the first byte. */
  readonly isTls?: boolean;
  readonly startTls?: 'offered' | 'refused' | 'absent';
  readonly login?: { readonly user: string; readonly password: string };
  /** Returns the reply to a line of the client; null for the usual one. */
  readonly reply?: (line: string) => string | null;
}

const keys = { cert: testCertificate, key: testCertificateKey };

/** A server of RFC 5321 with STARTTLS and AUTH PLAIN, which keeps the mails that it has taken. */
export class SmtpServer {
  readonly mails: ReceivedMail[] = [];
  /** Every line that clients sent without encryption. */
  readonly plain: string[] = [];
  connections = 0;
  rules: SmtpRules;
  private readonly sockets = new Set<Socket>();

  private constructor(
    private readonly server: Server,
    rules: SmtpRules,
  ) {
    this.rules = rules;
  }

  static async start(rules: SmtpRules = {}, port = 0): Promise<SmtpServer> {
    const server = rules.isTls ? createTlsServer(keys) : createServer();
    const smtp = new SmtpServer(server, rules);
    server.on(rules.isTls ? 'secureConnection' : 'connection', (socket: Socket) => {
      smtp.connections += 1;
      smtp.serve(socket, true);
    });
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return smtp;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    if (!this.server.listening) return;
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  /** The mails by their Message-ID: a mail that came twice counts once. */
  get ids(): ReadonlyMap<string, ReceivedMail> {
    return new Map(this.mails.map((mail) => [/^Message-ID: (.*)$/im.exec(mail.text)?.[1] ?? '', mail]));
  }

  private serve(socket: Socket, greets: boolean): void {
    const isEncrypted = socket instanceof TLSSocket;
    let [rest, to, isLoggedIn] = ['', '', this.rules.login === undefined];
    let data: string[] | null = null;
    const say = (reply: string): void => void socket.write(`${reply}\r\n`);
    this.sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.sockets.delete(socket));
    const startTls = (): void => {
      say('220 go ahead');
      socket.removeAllListeners('data');
      this.serve(new TLSSocket(socket, { isServer: true, ...keys }), false);
    };
    const take = (line: string): void => {
      if (!isEncrypted) this.plain.push(line);
      if (data !== null && line !== '.') return void data.push(line.replace(/^\.\./, '.'));
      const other = this.rules.reply?.(line) ?? null;
      if (data !== null) {
        if (other === null) this.mails.push({ to, text: data.join('\n'), isEncrypted });
        data = null;
        return say(other ?? '250 taken');
      }
      if (other !== null) return say(other);
      const { startTls: tls = 'offered', login } = this.rules;
      const [verb = ''] = line.toUpperCase().split(' ');
      if (verb === 'EHLO') {
        const offers = [...(!isEncrypted && tls !== 'absent' ? ['STARTTLS'] : []), ...(login ? ['AUTH PLAIN'] : [])];
        const lines = ['mail.test', ...offers];
        for (const [at, offer] of lines.entries()) say(`250${at < lines.length - 1 ? '-' : ' '}${offer}`);
      } else if (verb === 'STARTTLS') {
        if (tls === 'offered') startTls();
        else say('454 not now');
      } else if (verb === 'AUTH') {
        const [, user, password] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0');
        isLoggedIn = user === login?.user && password === login?.password;
        say(isLoggedIn ? '235 welcome' : '535 no');
      } else if (!isLoggedIn && /^(MAIL|RCPT|DATA)$/.test(verb)) say('530 log in first');
      else if (verb === 'RCPT') {
        to = /<(.*)>/.exec(line)?.[1] ?? '';
        say('250 known');
      } else if (verb === 'DATA') {
        data = [];
        say('354 go on');
      } else if (verb === 'QUIT') {
        say('221 bye');
        socket.end();
      } else say('250 fine');
    };
    socket.on('data', (bytes) => {
      const lines = (rest + String(bytes)).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) take(line);
    });
    if (greets) say('220 mail.test');
  }
}
