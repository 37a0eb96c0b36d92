import { Injectable } from '@nestjs/common';
import { type MailConfig } from '../config/mail-settings.js';
import { Config } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';

export interface Mail {
  /** The same for each attempt: by it, servers and readers recognise a mail that came twice. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same as HTML, for those who read that. */
  readonly html?: string;
  readonly at: Date;
}

/** `refused`: the server does not know the address. `failed`: another attempt may succeed. */
export type MailOutcome = 'accepted' | 'refused' | 'failed';

/** The server takes no mail at all at the moment, so the others wait, too. */
export class MailServerFault extends Error {
  override readonly name = 'MailServerFault';
}

/** nodemailer's errors. Their messages have texts of the server and addresses, so they are never passed on. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
}

const advice: Readonly<Record<string, string>> = {
  EAUTH: 'it refuses user or password: check SMTP_URL',
  ETLS: 'no safe connection: it must offer STARTTLS with a certificate that is valid for its name, or use smtps://',
  EDNS: 'its name could not be resolved: check SMTP_URL',
  ETIMEDOUT: 'it does not answer in time',
  ECONNECTION: 'it cannot be reached',
  ESOCKET: 'it cannot be reached, or has no certificate that is valid for its name',
  EENVELOPE: 'it does not take mails of MAIL_FROM',
};

/** The library reads other addresses as several, or as another one. */
const plainAddress = /^[^\s@<>()[\]\\,;:"\p{C}]+@[^\s@<>()[\]\\,;:"\p{C}]+$/u;

export const isPlainAddress = (address: string): boolean => plainAddress.test(address);

const isAbout = (command: string, { command: failed }: SmtpError): boolean => failed?.startsWith(command) ?? false;

/** Hands e-mails over to the SMTP server of the installation. */
@Injectable()
export class Mailer {
  /** Tests set shorter ones, and a certificate of their own. */
  timeoutMs = 15_000;
  certificate: string | undefined;
  private readonly config: MailConfig | null;

  constructor(
    { mail }: Config,
    private readonly metrics: Metrics,
  ) {
    this.config = mail;
  }

  get isConfigured(): boolean {
    return this.config !== null;
  }

  async send(mail: Mail, signal: AbortSignal): Promise<MailOutcome> {
    const { config, metrics } = this;
    if (config === null) throw new MailServerFault('no e-mail can be sent: set SMTP_URL and MAIL_FROM');
    const count = (outcome: MailOutcome): MailOutcome => {
      metrics.mails.inc({ outcome });
      return outcome;
    };
    if (!isPlainAddress(mail.to)) return count('refused');
    try {
      await this.handOver(config, mail, signal);
      return count('accepted');
    } catch (error) {
      signal.throwIfAborted();
      const fault = error as SmtpError;
      const { code = '', responseCode } = fault;
      if (isAbout('API', fault) && code === 'EENVELOPE') return count('refused');
      if (isAbout('RCPT', fault) && responseCode !== 421)
        return count((responseCode ?? 0) >= 500 ? 'refused' : 'failed');
      count('failed');
      if (isAbout('DATA', fault) && responseCode !== undefined && responseCode !== 421) return 'failed';
      const status = responseCode === undefined ? '' : `, status ${responseCode}`;
      const why = advice[code] ?? 'the mail was not taken';
      throw new MailServerFault(`the server of SMTP_URL: ${why} (${/^E\w+$/.test(code) ? code : 'error'}${status})`);
    }
  }

  private async handOver(config: MailConfig, mail: Mail, signal: AbortSignal): Promise<void> {
    const { host, port, isTls, login, from } = config;
    const { timeoutMs, certificate } = this;
    // Most processes never send a mail.
    const { createTransport } = await import('nodemailer');
    const transport = createTransport({
      ...{ host, port, secure: isTls },
      // A password is never sent over a connection that others can read.
      requireTLS: !isTls && login !== null,
      ...(login && { auth: { user: login.user, pass: login.password } }),
      ...(certificate !== undefined && { tls: { ca: certificate } }),
      ...{ dnsTimeout: timeoutMs, connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    });
    const stop = (): void => transport.close();
    signal.addEventListener('abort', stop, { once: true });
    try {
      signal.throwIfAborted();
      await transport.sendMail({
        from,
        to: { name: '', address: mail.to },
        envelope: { from: from.address, to: [mail.to] },
        messageId: `<${mail.id}@${from.address.replace(/^.*@/, '')}>`,
        date: mail.at,
        subject: mail.subject,
        text: mail.text,
        ...(mail.html !== undefined && { html: mail.html }),
        headers: { 'Auto-Submitted': 'auto-generated' },
      });
    } finally {
      signal.removeEventListener('abort', stop);
      transport.close();
    }
  }
}
