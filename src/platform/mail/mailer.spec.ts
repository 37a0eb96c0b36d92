import { afterEach, describe, expect, it } from '@jest/globals';
import { SmtpServer } from '../../../test/support/mail/smtp-server.js';
import { testCertificate } from '../../../test/support/mail/certificate.js';
import { loadConfig } from '../config/config.js';
import { Metrics } from '../telemetry/metrics.js';
import { Mailer, MailServerFault } from './mailer.js';

const login = { user: 'k@example.test', password: 'p:/%ä' };
const from = 'Kohort "alerts" <alerts@example.test>';
const never = new AbortController().signal;

let server: SmtpServer;
afterEach(() => server.stop());

const open = async (rules: SmtpServer['rules'], { withLogin = false } = {}) => {
  server = await SmtpServer.start(rules);
  const auth = withLogin ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
  const url = `smtp${rules.isTls ? 's' : ''}://${auth}127.0.0.1:${server.port}`;
  const metrics = new Metrics();
  const mailer = new Mailer(loadConfig({ SMTP_URL: url, MAIL_FROM: from }), metrics);
  mailer.certificate = testCertificate;
  mailer.timeoutMs = 400;
  const send = (more: object = {}) =>
    mailer.send(
      { id: 'a1', to: 'ada@example.test', subject: 'Fired', text: 'Hello\n.\n', at: new Date(0), ...more },
      never,
    );
  const outcomes = async () => (await metrics.mails.get()).values.map(({ labels, value }) => [labels.outcome, value]);
  return { mailer, send, outcomes };
};

const faultOf = async (sending: Promise<unknown>): Promise<string> => {
  const fault: unknown = await sending.catch((error: unknown) => error);
  if (!(fault instanceof MailServerFault)) throw new Error(`no fault: ${String(fault)}`);
  return fault.message;
};

describe('a mail', () => {
  it.each([
    ['by TLS', { isTls: true, login }],
    ['by STARTTLS', { login }],
  ])('is handed over %s, the same for each attempt', async (_, rules) => {
    const { send, outcomes } = await open(rules, { withLogin: true });
    expect([await send(), await send()]).toEqual(['accepted', 'accepted']);
    const [first, second] = server.mails;
    expect(first).toEqual(second);
    expect(first).toMatchObject({ to: 'ada@example.test', isEncrypted: true });
    const lines = first?.text.split('\n') ?? [];
    expect(lines).toEqual(
      expect.arrayContaining([
        'From: Kohort alerts <alerts@example.test>',
        'To: ada@example.test',
        'Subject: Fired',
        'Message-ID: <a1@example.test>',
        'Date: Thu, 01 Jan 1970 00:00:00 +0000',
        'Auto-Submitted: auto-generated',
      ]),
    );
    expect(lines.slice(lines.indexOf(''))).toEqual(['', 'Hello', '.']);
    expect(server.ids.size).toBe(1);
    expect(await outcomes()).toEqual([['accepted', 2]]);
  });

  it('goes to a server without TLS where there is no password', async () => {
    const { send } = await open({ startTls: 'absent' });
    expect(await send()).toBe('accepted');
  });

  it.each([['absent'], ['refused']] as const)('sends no password where STARTTLS is %s', async (startTls) => {
    const { send } = await open({ login, startTls }, { withLogin: true });
    expect(await faultOf(send())).toContain('ETLS');
    expect(server.plain.filter((line) => !/^(EHLO|STARTTLS|QUIT)/.test(line))).toEqual([]);
    expect(server.mails).toEqual([]);
  });

  it('is kept from a server whose certificate is not trusted', async () => {
    const { mailer, send } = await open({ isTls: true, login }, { withLogin: true });
    mailer.certificate = undefined;
    expect(await faultOf(send())).toMatch(/certificate/);
  });

  it('waits where the password is refused, and tells none of it', async () => {
    const { send, outcomes } = await open({ login: { ...login, password: 'other' } }, { withLogin: true });
    const message = await faultOf(send());
    expect(message).toBe('the server of SMTP_URL: it refuses user or password: check SMTP_URL (EAUTH, status 535)');
    expect(await outcomes()).toEqual([['failed', 1]]);
  });

  it('waits for a server that is away, silent or refuses the sender', async () => {
    const { send } = await open({ reply: (line) => (line.startsWith('MAIL') ? '550 ada@example.test may not' : null) });
    expect(await faultOf(send())).toContain('does not take mails of MAIL_FROM (EENVELOPE, status 550)');
    server.rules = { reply: (line) => (line.startsWith('MAIL') ? '' : null) };
    expect(await faultOf(send())).toMatch(/ETIMEDOUT|EPROTOCOL/);
    await server.stop();
    expect(await faultOf(send())).toMatch(/ESOCKET|ECONNECTION/);
  });

  it.each([
    ['RCPT', '550 unknown', 'refused'],
    ['RCPT', '450 busy', 'failed'],
    ['.', '451 later', 'failed'],
    ['.', '554 spam', 'failed'],
  ])('is alone concerned by an answer to %s such as %s', async (verb, reply, outcome) => {
    const { send } = await open({ reply: (line) => (line.startsWith(verb) ? reply : null) });
    expect(await send()).toBe(outcome);
  });

  it('has no header and no receiver that a text or an address brings', async () => {
    const { send } = await open({});
    const evil = 'x\r\nBcc: eve@example.test\r\n\r\nbody';
    expect(await send({ subject: evil })).toBe('accepted');
    for (const to of ['a@b.test\r\nRCPT TO:<eve@example.test>', 'a@b.test>,<eve@example.test', '<eve@x.test>a@b.test'])
      expect(await send({ to })).toBe('refused');
    expect(server.mails.map(({ to }) => to)).toEqual(['ada@example.test']);
    expect(server.mails[0]?.text.split('\n\n')[0]).not.toMatch(/^bcc/im);
  });
});
