import { type Setting, SettingError } from './setting.js';

/** The SMTP server that takes e-mails, and who sends them. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** True: TLS from the first byte. Else STARTTLS requests it. */
  readonly isTls: boolean;
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: MailAddress;
}

export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

type SmtpServer = Omit<MailConfig, 'from'>;

const rule = 'must be such as smtps://user:password@mail.example.com:465 or smtp://mail.example.com:587';

export const smtpUrl = (doc: string): Setting<SmtpServer | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const url = URL.canParse(text) ? new URL(text) : null;
    if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname) throw new SettingError(rule);
    if (!/^\/?$/.test(url.pathname) || url.search || url.hash || !url.username !== !url.password)
      throw new SettingError(`${rule}: with user and password or without both, and nothing after the port`);
    const isTls = url.protocol === 'smtps:';
    return {
      host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
      port: url.port === '' ? (isTls ? 465 : 587) : Number(url.port),
      isTls,
      login: url.username === '' ? null : { user: decoded(url.username), password: decoded(url.password) },
    };
  },
});

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new SettingError('must have a user and a password that are percent-encoded, such as %40 for @');
  }
};

const shape = /^(?:(?<name>[^<>\p{Cc}]*)<(?<inner>[^\s@<>,;"]+@[^\s@<>,;"]+)>|(?<plain>[^\s@<>,;"]+@[^\s@<>,;"]+))$/u;

export const mailAddress = (doc: string): Setting<MailAddress | null> => ({
  doc,
  example: '',
  parse: (text) => {
    if (text === undefined) return null;
    const { name = '', inner, plain } = shape.exec(text)?.groups ?? {};
    const address = inner ?? plain;
    if (address === undefined)
      throw new SettingError('must be one address, such as alerts@example.com or Kohort <alerts@example.com>');
    return { name: name.replaceAll('"', '').trim(), address };
  },
});

interface MailSettings {
  readonly SMTP_URL: SmtpServer | null;
  readonly MAIL_FROM: MailAddress | null;
}

/** Returns null if no e-mail is sent. */
export const mailOf = ({ SMTP_URL: server, MAIL_FROM: from }: MailSettings): MailConfig | null =>
  server && from && { ...server, from };

/** Lists contradictions in these settings, a line for each. */
export const mailFaults = ({ SMTP_URL: server, MAIL_FROM: from }: MailSettings): string[] => {
  if (!server === !from) return [];
  return [server ? 'SMTP_URL needs MAIL_FROM' : 'MAIL_FROM needs SMTP_URL'];
};
