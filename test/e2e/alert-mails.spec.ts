import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { type AlertDto } from '../../src/saved/alerts/alert.dto.js';
import { AlertWorker } from '../../src/saved/alerts/alert-worker.js';
import { mailPatienceDays, MailWorker } from '../../src/saved/alerts/mail-worker.js';
import { importLines } from '../support/import.js';
import { testCertificate } from '../support/mail/certificate.js';
import { SmtpServer } from '../support/mail/smtp-server.js';
import { makeUser } from '../support/signed-in.js';
import { startTestService, type TestService } from '../support/service.js';
import { WebhooksOf } from '../support/webhooks/webhooks-of.js';

const hourMs = 3_600_000;
const start = Date.parse('2026-03-02T00:00:00Z');
const hour = (nth: number) => new Date(start + nth * hourMs);

let server: SmtpServer;
let service: TestService;
let of: WebhooksOf;
let alerts: AlertWorker;
let mails: MailWorker;
let member: number;

beforeAll(async () => {
  server = await SmtpServer.start();
  service = await startTestService({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    ...{ MAIL_FROM: 'Kohort <alerts@example.test>', PUBLIC_URL: 'https://kohort.example.test' },
  });
  service.app.get(Mailer).certificate = testCertificate;
  alerts = service.app.get(AlertWorker);
  mails = service.app.get(MailWorker);
  // Each test says when they work.
  await Promise.all([alerts.worker.stop(), mails.worker.stop()]);
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});
beforeEach(async () => {
  of = new WebhooksOf(service, (await service.newProject()).id);
  member = await newMember('grace');
});
afterEach(async () => {
  server.rules = {};
  server.mails.length = 0;
  await service.pool.query('DELETE FROM alert_mails');
});

const newMember = async (name: string): Promise<number> => {
  const email = `${name}.${of.projectId}@example.test`;
  return (await makeUser(service, { email, roles: { [of.projectId]: 'viewer' } })).id;
};

const send = () => mails.round(new AbortController().signal);

/** The names of those who got mails. */
const receivers = () => server.mails.map(({ to }) => to.replace(/\..*$/, ''));

const made = async <T>(path: string, body: object, at = hour(0)): Promise<T> => {
  const answer = await of.call('POST', path, { body, headers: { 'x-test-now': at.toISOString() } });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body as T;
};

const alertFor = async (users: readonly number[], name = 'Many'): Promise<AlertDto> => {
  const params = { events: [{ id: 'signed up' }], interval: 'hour' };
  const { id: insight } = await made<{ id: number }>('insights', { question: { type: 'trends', params } });
  const threshold = { configuration: { type: 'absolute', bounds: { upper: 1 } } };
  return made('alerts', { name, insight, calculation_interval: 'hourly', threshold, subscribed_users: users });
};

/** Hours with so many events pass, and their alerts are decided. */
const live = async (...counts: readonly number[]) => {
  const lines = counts.flatMap((count, nth) =>
    Array.from({ length: count }, (_, n) => ({
      ...{ type: 'event', event: 'signed up', distinct_id: `u${n}` },
      timestamp: new Date(hour(nth).getTime() + n * 1000).toISOString(),
    })),
  );
  await importLines(service, of.projectId, lines);
  const { signal } = new AbortController();
  while ((await alerts.round(new Date(hour(counts.length).getTime() + 60_000), signal)) !== null);
};

const waiting = async () =>
  (await service.pool.query<{ attempts: number }>('SELECT attempts FROM alert_mails')).rows.map((row) => row.attempts);
const makeDue = () => service.pool.query(`UPDATE alert_mails SET next_attempt_at = now() - interval '1 s'`);

describe('the users of an alert', () => {
  it('get one mail for each breach and one for its end, with the numbers', async () => {
    const alert = await alertFor([member]);
    expect(alert.subscribed_users.map(({ id }) => id)).toEqual([member]);
    await live(0, 2, 3, 1);
    await send();
    await send();
    expect(receivers()).toEqual(['grace', 'grace']);
    expect(server.ids.size).toBe(2);
    const [fired = '', ended = ''] = server.mails.map(({ text }) => text);
    expect(fired).toMatch(/^Subject: Fired: Many$/m);
    expect(fired.split('\n\n').slice(1).join('\n\n')).toBe(
      [
        '"Many" has left its range.',
        '',
        'Number: 2',
        'Expected: at most 1',
        'From: 2026-03-02 01:00 (UTC)',
        'To: 2026-03-02 02:00 (UTC)',
        '',
        `Project: ${await projectName()} (${of.projectId}), saved question ${alert.insight.id}`,
        `See it: https://kohort.example.test/p/${of.projectId}/saved?insight=${alert.insight.id}`,
        '',
        `You get this mail because subscribed_users of alert ${alert.id} has you.`,
      ].join('\n'),
    );
    expect(ended).toMatch(/^Subject: Ended: Many$/m);
    expect(ended).toContain('Number: 1\n');
    expect(await waiting()).toEqual([]);
    const organization = await service.call('GET', '/api/organizations/@current');
    expect(organization.body).toMatchObject({ email_service_available: true });
  });

  it('get a mail also when a breach ends by a change, and keep it when only they change', async () => {
    const alert = await alertFor([]);
    await live(2);
    const patched = (body: object) => of.call('PATCH', `alerts/${alert.id}`, { body });
    expect((await patched({ subscribed_users: [member] })).body).toMatchObject({ state: 'Firing' });
    expect(await waiting()).toEqual([]);
    expect((await of.call('PATCH', `alerts/${alert.id}`, { body: (await patched({})).body })).status).toBe(200);
    await of.call('DELETE', `alerts/${alert.id}`);
    await send();
    expect(server.mails.map(({ text }) => /^Why: .*$/m.exec(text)?.[0])).toEqual(['Why: the alert was deleted']);
  });

  it('get it later where the server is down or refuses, and nothing of it blocks other mails', async () => {
    const other = await newMember('full');
    await alertFor([member, other]);
    await live(2);
    const { port } = server;
    await server.stop();
    await expect(send()).rejects.toThrow('SMTP_URL');
    expect(await waiting()).toEqual([0, 0]);
    server = await SmtpServer.start({ reply: (line) => (/^RCPT.*full/.test(line) ? '452 full' : null) }, port);
    await send();
    expect(receivers()).toEqual(['grace']);
    expect(await waiting()).toEqual([1]);
    await send();
    expect(server.mails).toHaveLength(1);
    server.rules = {};
    await makeDue();
    await send();
    expect(receivers()).toEqual(['grace', 'full']);
  });

  it('get none once they have left, are unknown to the server, or it has taken none for days', async () => {
    const left = await newMember('left');
    const unknown = await newMember('unknown');
    await alertFor([left, unknown]);
    await live(2);
    await of.call('DELETE', `members/${left}`);
    server.rules = { reply: (line) => (/^RCPT.*unknown/.test(line) ? '550 who' : null) };
    await send();
    expect([server.mails, await waiting()]).toEqual([[], []]);
    await alertFor([member], 'Old');
    await live(2);
    await service.pool.query(`UPDATE alert_mails SET created_at = created_at - interval '${mailPatienceDays} days'`);
    await send();
    expect([server.mails, await waiting()]).toEqual([[], []]);
  });

  it('are users of the project, and their names bring no header', async () => {
    const { id: stranger } = await makeUser(service);
    const body = { subscribed_users: [stranger] };
    const { id } = await alertFor([member], 'Many\r\nBcc: eve@example.test\u2028x');
    const refused = await of.call('PATCH', `alerts/${id}`, { body });
    expect([refused.status, refused.body]).toEqual([
      400,
      expect.objectContaining({
        attr: 'subscribed_users',
        detail: `subscribed_users must be ids of users of this project: there is no user ${stranger}`,
      }),
    ]);
    await live(2);
    await send();
    expect(server.mails.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^Subject: Fired: Many Bcc: eve@example.test x$/m),
    ]);
  });
});

const projectName = async (): Promise<string> =>
  (await service.pool.query<{ name: string }>('SELECT name FROM projects WHERE id = $1', [of.projectId])).rows[0]
    ?.name ?? '';
